#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Applies the IPoIB series that fits a kernel tree, or takes it out again.
#
# usage: apply.sh [--check | --reverse] [--version X.Y.Z] TREE
#        apply.sh --print FILE --version X.Y
#
#   TREE       a kernel tree, or a part of one that has drivers/infiniband/ulp/ipoib and Documentation
#   --check    only say whether the series applies
#   --reverse  restore the tree as it was before, byte for byte
#   --version  the kernel's version; needed where TREE has no Makefile that names it
#   --print    write a file that the series adds to the tree to standard output
#
# The series is tried on copies of the files first, without fuzz. TREE is touched only when every hunk fits.
# Exit codes: 0 done, 1 the series does not fit, 2 usage.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
die() { echo "apply.sh: $*" >&2; exit 1; }
usage() { sed -n 's/^# \{0,1\}//; /^usage/,/^$/p' "$0" >&2; exit 2; }

mode=apply version='' tree='' file=''
while [ $# -gt 0 ]; do
	case $1 in
	--check) mode=check ;;
	--reverse) mode=reverse ;;
	--version) [ $# -gt 1 ] || usage; version=$2; shift ;;
	--print) [ $# -gt 1 ] || usage; mode=print file=$2; shift ;;
	-*) usage ;;
	*) [ -z "$tree" ] || usage; tree=$1 ;;
	esac
	shift
done

tree_version() {
	local makefile=$tree/Makefile
	[ -e "$makefile" ] || die "$tree has no Makefile; name the kernel's version with --version"
	awk '/^(VERSION|PATCHLEVEL|SUBLEVEL) *=/ { v[$1] = $2 }
	     END { if (v["VERSION"] == "") exit 1; print v["VERSION"] "." v["PATCHLEVEL"] "." v["SUBLEVEL"] }' \
		FS='[ =]+' "$makefile" 2>/dev/null || die "$makefile does not name a kernel version; use --version"
}

find_series() {
	series=$here/linux-$(cut -d. -f1-2 <<<"$version")
	[ -d "$series" ] || die "there is no series for Linux $version, only for:" \
		"$(cd "$here" && echo linux-*/ | sed 's/linux-//g; s,/,,g')"
	patches=("$series"/0[0-9][0-9][1-9]-*.patch "$series"/0[0-9][1-9]0-*.patch)
	mapfile -t patches < <(printf '%s\n' "${patches[@]}" | grep -v '\*' | sort)
}

# touched DIR PATCH...: names each file that the patches create, change or remove
touched() { sed -n 's,^+++ b/\([^\t]*\).*,\1,p; s,^--- a/\([^\t]*\).*,\1,p' "$@" | sort -u; }

try_patch() { patch -p1 -d "$work" --fuzz=0 --no-backup-if-mismatch --force "$@" >"$work.log" 2>&1; }

# Runs the series over the copies in $work, forwards or backwards.
run_series() {
	local p order=("${patches[@]}") flag=()
	if [ "$mode" = reverse ]; then
		mapfile -t order < <(printf '%s\n' "${patches[@]}" | tac)
		flag=(--reverse)
	fi
	for p in "${order[@]}"; do
		try_patch "${flag[@]}" --input="$p" ||
			die "$(basename "$p") does not ${mode/check/apply} to Linux $version:" \
				"$(grep -m1 -iE 'FAILED|No file|malformed|ignored|Reversed' "$work.log" || tail -n1 "$work.log"); nothing was changed"
	done
}

# Writes what run_series left back, and removes what it removed.
write_back() {
	local f
	while read -r f; do
		if [ -e "$work/$f" ]; then
			cmp -s "$work/$f" "$tree/$f" && continue
			mkdir -p "$(dirname "$tree/$f")"
			cp "$work/$f" "$tree/$f.new"
			mv "$tree/$f.new" "$tree/$f"
		else
			rm -f "$tree/$f"
		fi
	done
}

work=$(mktemp -d)
trap 'rm -rf "$work" "$work.log"' EXIT

if [ "$mode" = print ]; then
	if [ -z "$version" ] || [ -n "$tree" ]; then usage; fi
	find_series
	for p in "${patches[@]}"; do
		awk -v f="b/$file" '/^diff --git / { on = $4 == f } /^-- $/ { on = 0 } on' "$p" >"$work.part"
		[ ! -s "$work.part" ] || try_patch --input="$work.part" || die "$file: $(tail -n1 "$work.log")"
	done
	rm -f "$work.part"
	[ -e "$work/$file" ] || die "the series for Linux $version does not add $file"
	cat "$work/$file"
	exit
fi

[ -n "$tree" ] || usage
[ -d "$tree/drivers/infiniband/ulp/ipoib" ] || die "$tree is not a kernel tree: it has no drivers/infiniband/ulp/ipoib"
[ -n "$version" ] || version=$(tree_version)
find_series

while read -r f; do
	[ ! -e "$tree/$f" ] || install -D -m 644 "$tree/$f" "$work/$f"
done < <(touched "${patches[@]}")
run_series
[ "$mode" = check ] || write_back < <(touched "${patches[@]}")

case $mode in
check) echo "the $(basename "$series") series applies to Linux $version" ;;
apply) echo "applied ${#patches[@]} patches of $(basename "$series") to Linux $version" ;;
reverse) echo "reversed ${#patches[@]} patches of $(basename "$series") in Linux $version" ;;
esac
