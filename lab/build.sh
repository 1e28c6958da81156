#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds the guest's modules: softib, the check of its verbs, Debian's ib_ipoib as it is, and ib_ipoib with the series applied;
# for the checking kernel also `faulty`, whose faults its checkers must find.
#
# usage: build.sh KERNEL_DIR
# Leaves build/lab/<release>/{softib/softib.ko,stock/ib_ipoib.ko,patched/ib_ipoib.ko}, and does nothing when they are up to date.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lab/guest/common.sh
. "$here/guest/common.sh"
# shellcheck source=lab/guest/machine.sh
. "$here/guest/machine.sh"

kernel=${1:?usage: build.sh KERNEL_DIR}
top=$(cd "$here/.." && pwd)
[ "$(machine_of "$kernel")" = qemu ] || export ARCH=um
release=$(cat "$kernel/release") version=$(cat "$kernel/version")
out=$top/build/lab/$release
work=$out.work
mkdir -p "$out" "$work" "$CACHE/modules"
exec 9>"$work/lock"
flock 9
if ! cmp -s "$kernel/version" "$work/version"; then
	find "$work" -mindepth 1 ! -name lock -delete
	cp "$kernel/version" "$work/version"
fi

# A hash of the contents of files and directories, wherever they are.
stamp() {
	local path
	for path in "$@"; do
		(cd "$(dirname "$path")" && find "$(basename "$path")" -type f -print0 | sort -z | xargs -0 sha256sum)
	done | sha256sum | cut -c1-24
}

# compile NAME TO OUTPUT: debug information is most of a module's size and is of no use in the guest.
compile() {
	local source=$work/$2
	say "building $2/$1.ko for $release"
	make -s -j"$(nproc)" -C "$kernel/build" M="$source" CONFIG_INFINIBAND_IPOIB=m modules >"$work/$2.log" 2>&1 || {
		grep -E 'error|Error|not found' "$work/$2.log" | head -n 5 >&2
		die "building $2/$1.ko failed; see $work/$2.log"
	}
	objcopy --strip-debug "$source/$1.ko" "$3.part.$$"
	mv "$3.part.$$" "$3"
}

# refresh FROM TO: gives TO the files of FROM; one whose content is the same keeps its time, so that only what changed is compiled.
refresh() {
	local file
	mkdir -p "$2"
	(cd "$1" && find . -type f) | while read -r file; do
		cmp -s "$1/$file" "$2/$file" || install -D -m 644 "$1/$file" "$2/$file"
	done
	find "$2" -name '*.[ch]' ! -name '*.mod.c' -printf '%P\n' | while read -r file; do
		[ -e "$1/$file" ] || rm "$2/$file"
	done
}

# build NAME TO PREPARE INPUT...: what was built from the same content before, in any clone, comes from the cache.
build() {
	local name=$1 to=$2 prepare=$3 built
	shift 3
	built=$CACHE/modules/$name-$release-$(stamp "$here/build.sh" "$kernel/version" "$@").ko
	if [ ! -e "$built" ]; then
		rm -rf "${work:?}/$to.new"
		"$prepare" "$work/$to.new"
		refresh "$work/$to.new" "$work/$to"
		rm -rf "${work:?}/$to.new"
		compile "$name" "$to" "$built"
	fi
	mkdir -p "$out/$to"
	cmp -s "$built" "$out/$to/$name.ko" || cp "$built" "$out/$to/$name.ko"
}

ipoib=drivers/infiniband/ulp/ipoib
prepare_softib() { cp -r "$here/softib" "$1"; }
prepare_verbs_check() { cp -r "$here/verbs-check" "$1"; }
prepare_faulty() { cp -r "$top/tests/lab/faulty" "$1"; }
prepare_stock() { cp -r "$kernel/source/$ipoib" "$1"; }
prepare_patched() {
	cp -r "$kernel/source" "$work/tree"
	"$top/ipoib-patch/apply.sh" --version "${version%%-*}" "$work/tree" >"$work/apply.log" 2>&1 || {
		tail -n 3 "$work/apply.log" >&2
		rm -rf "$work/tree"
		die "the series does not apply to $version"
	}
	mv "$work/tree/$ipoib" "$1"
	rm -rf "$work/tree"
}

series=${version%.*}
rm -rf "$work/tree"
build softib softib prepare_softib "$here/softib"
build verbs_check verbs_check prepare_verbs_check "$here/verbs-check"
build ib_ipoib stock prepare_stock "$kernel/source/$ipoib"
build ib_ipoib patched prepare_patched "$kernel/source/$ipoib" "$top/ipoib-patch/apply.sh" "$top/ipoib-patch/linux-$series"
[ -z "${ARCH:-}" ] || build faulty faulty prepare_faulty "$top/tests/lab/faulty"
find "$CACHE/modules" -name '*.ko' -mtime +30 -delete
