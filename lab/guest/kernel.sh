#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Finds Debian's kernel image, headers and source of one series together and unpacks them into the cache.
#
# usage: kernel.sh SERIES          (6.1 or 6.12)
# Prints the directory it filled, which holds
#   vmlinuz        the stock kernel image
#   lib/modules/   its modules
#   build/         the headers, to build modules against (make -C build M=...)
#   source/        the parts of linux-source that the series touches, and checkpatch
#   release        e.g. 6.1.0-57-amd64        version   e.g. 6.1.192-3
# Nothing is installed: the packages are downloaded by name and unpacked. Exit 1 with one line when that fails.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lab/guest/common.sh
. "$here/common.sh"

series=${1:?usage: kernel.sh SERIES}
case $series in
6.1) meta=linux-headers-amd64 ;;
6.12) meta=linux-headers-6.12-amd64 ;;
*) die "kernel series '$series': must be 6.1 or 6.12" ;;
esac

candidate() { apt-cache policy "$1" 2>/dev/null | sed -n 's/^  Candidate: //p'; }

# The image package that a meta package of version $2 depends on names the release.
release_of() {
	apt-cache show "$1=$2" 2>/dev/null |
		sed -n 's/^Depends:.*linux-headers-\([0-9][^ ,]*-amd64\).*/\1/p' | head -n1
}

# What is cached stays good when Debian cannot be asked.
cached() {
	local dir
	dir=$(find "$CACHE" -maxdepth 1 -name "kernel-$series.*" -not -name '*.part.*' 2>/dev/null | sort -V | tail -n1)
	[ -n "$dir" ] && [ -e "$dir/complete" ] && echo "$dir"
}

# Asking takes a second, and each guest asks: the answer, `VERSION RELEASE`, is kept for a day or until the lists change.
answer=$CACHE/answer-$series
answer_is_good() {
	[ -s "$answer" ] && [ "$answer" -nt /var/lib/apt/lists ] && [ -z "$(find "$answer" -mmin +1440)" ]
}

version='' release=''
! answer_is_good || read -r version release <"$answer"
if [ -z "$release" ]; then
	version=$(candidate "$meta")
	if [ -z "$version" ] || [ "$version" = "(none)" ]; then
		cached && exit 0
		die "Debian's package list has no $meta: run apt-get update"
	fi
	release=$(release_of "$meta" "$version")
	[ -n "$release" ] || die "$meta $version names no kernel release"
	# A cache that belongs to somebody else is as good, but slower.
	mkdir -p "$CACHE"
	{ echo "$version $release" >"$answer.part.$$" && mv "$answer.part.$$" "$answer"; } 2>/dev/null || true
fi
dir=$CACHE/kernel-${version//[^A-Za-z0-9.+~-]/_}
if [ -e "$dir/complete" ]; then
	echo "$dir"
	exit 0
fi

mkdir -p "$CACHE"
part=$(mktemp -d "$CACHE/kernel-$series.part.XXXXXX")
trap 'rm -rf "$part"' EXIT
chmod 755 "$part"

common=linux-headers-${release%-amd64}-common
case $series in
6.1) kbuild=linux-kbuild-6.1 ;;
*) kbuild=linux-kbuild-${release%-amd64} ;;
esac
packages=("linux-image-$release=$version" "linux-headers-$release=$version"
	"$common=$version" "$kbuild=$version" "linux-source-$series=$version")
say "kernel $release ($version): downloading image, headers and source"
mkdir "$part/deb" "$part/root"
(cd "$part/deb" && apt-get -q -o APT::Sandbox::User=root download "${packages[@]}") >"$part/log" 2>&1 ||
	die "download of ${packages[*]} failed: $(grep '^E:' "$part/log" | head -n1 | sed 's#[a-z]*://[^ ]*##g')"
for deb in "$part"/deb/*.deb; do
	dpkg-deb -x "$deb" "$part/root"
done

say "kernel $release: unpacking the ipoib source"
tree=$part/root/usr/src/linux-source-$series
mkdir -p "$part/source"
tar -C "$part/source" --strip-components=1 -xf "$tree.tar.xz" --wildcards \
	'*/drivers/infiniband/ulp/ipoib/*' '*/Documentation/infiniband/ipoib.rst' \
	'*/Documentation/ABI/testing/sysfs-class-net*' '*/scripts/checkpatch.pl' \
	'*/scripts/spelling.txt' '*/scripts/const_structs.checkpatch' 2>"$part/log" ||
	[ -e "$part/source/drivers/infiniband/ulp/ipoib/ipoib_ib.c" ] ||
	die "linux-source-$series has no drivers/infiniband/ulp/ipoib"

# The header packages name each other by absolute path; here they live in the cache.
mv "$part/root/boot/vmlinuz-$release" "$part/vmlinuz"
mkdir -p "$part/lib"
if [ -d "$part/root/lib/modules" ]; then
	mv "$part/root/lib/modules" "$part/lib/modules"
else
	mv "$part/root/usr/lib/modules" "$part/lib/modules"
fi
mkdir -p "$part/usr/lib" "$part/usr/src"
mv "$part/root/usr/src/linux-headers-"* "$part/usr/src/"
mv "$part/root/usr/lib/linux-kbuild-"* "$part/usr/lib/"
grep -rlI --include=Makefile --include='*.mk' '/usr/src/linux-headers' "$part/usr/src/linux-headers-$release" |
	xargs -r sed -i "s#/usr/src/linux-headers#$dir/usr/src/linux-headers#g"
ln -s "usr/src/linux-headers-$release" "$part/build"
rm -f "$part/lib/modules/$release/build" "$part/lib/modules/$release/source"
depmod -b "$part" "$release"
echo "$release" >"$part/release"
echo "$version" >"$part/version"
rm -rf "$part/deb" "$part/root" "$part/log"
touch "$part/complete"
rm -rf "$dir"
mv "$part" "$dir"
trap - EXIT
echo "$dir"
