#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds the guest's modules: softib, Debian's ib_ipoib as it is, and ib_ipoib with the series applied.
#
# usage: build.sh KERNEL_DIR
# Leaves build/lab/<release>/{softib/softib.ko,stock/ib_ipoib.ko,patched/ib_ipoib.ko}, and does nothing when they are up to date.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lab/guest/common.sh
. "$here/guest/common.sh"

kernel=${1:?usage: build.sh KERNEL_DIR}
top=$(cd "$here/.." && pwd)
release=$(cat "$kernel/release") version=$(cat "$kernel/version")
out=$top/build/lab/$release
work=$out.work
mkdir -p "$out" "$work"
exec 9>"$work/lock"
flock 9

# Debug information is most of a module's size and is of no use in the guest.
module() {
	local name=$1 source=$2 to=$3
	say "building $to/$name.ko for $release"
	make -s -j"$(nproc)" -C "$kernel/build" M="$source" CONFIG_INFINIBAND_IPOIB=m modules >"$work/$to.log" 2>&1 || {
		grep -E 'error|Error' "$work/$to.log" | head -n 5 >&2
		die "building $to/$name.ko failed; see $work/$to.log"
	}
	objcopy --strip-debug "$source/$name.ko" "$work/$to.ko"
	mkdir -p "$out/$to"
	mv "$work/$to.ko" "$out/$to/$name.ko"
}

stamp() { find "$@" -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -d' ' -f1; }

# build NAME TO SOURCE_FUNCTION INPUT...: builds again only when an input's content changed.
build() {
	local name=$1 to=$2 prepare=$3 key
	shift 3
	key=$(stamp "$here/build.sh" "$@")
	[ -e "$out/$to/$name.ko" ] && [ "$(cat "$work/$to.key" 2>/dev/null)" = "$key" ] && return
	rm -rf "${work:?}/$to"
	"$prepare" "$work/$to"
	module "$name" "$work/$to" "$to"
	echo "$key" >"$work/$to.key"
}

ipoib=drivers/infiniband/ulp/ipoib
prepare_softib() { cp -r "$here/softib" "$1"; }
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

rm -rf "$work/tree"
build softib softib prepare_softib "$here/softib"
build ib_ipoib stock prepare_stock "$kernel/source/$ipoib"
build ib_ipoib patched prepare_patched "$kernel/source/$ipoib" "$top/ipoib-patch"
