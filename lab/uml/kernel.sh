#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds the checking kernel: user-mode Linux from Debian's source with KASAN, lockdep, kmemleak and fault injection.
#
# usage: kernel.sh            (series 6.1; about 10 minutes on 2 cores, once)
# Prints a directory laid out like that of lab/guest/kernel.sh, with `linux`, the executable, in place of vmlinuz.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lab/guest/common.sh
. "$here/../guest/common.sh"

stock=$("$here/../guest/kernel.sh" 6.1)
version=$(cat "$stock/version")
dir=$CACHE/uml-$version-$(sha256sum "$here/config" "$here/kernel.sh" | sha256sum | cut -c1-12)
if [ -e "$dir/complete" ]; then
	echo "$dir"
	exit 0
fi

part=$dir.part.$$
trap 'rm -rf "$part"' EXIT
trap 'exit 130' INT TERM HUP
mkdir -p "$part/deb"
say "user-mode Linux $version: unpacking the source"
(cd "$part/deb" && apt-get -q -o APT::Sandbox::User=root download "linux-source-6.1=$version") >"$part/log" 2>&1 ||
	die "download of linux-source-6.1=$version failed"
dpkg-deb --fsys-tarfile "$part"/deb/*.deb | tar -C "$part/deb" -x --wildcards '*.tar.xz'
mkdir "$part/tree"
tar -C "$part/tree" --strip-components=1 -xf "$part"/deb/usr/src/linux-source-6.1.tar.xz
rm -rf "$part/deb"

# The build remembers absolute paths, so it happens where it stays.
rm -rf "$dir"
mv "$part" "$dir"
trap - EXIT
log=$dir/build.log
mkdir "$dir/build"
kmake() { make -s -C "$dir/tree" ARCH=um O="$dir/build" -j"$(nproc)" "$@" >>"$log" 2>&1; }
say "user-mode Linux $version: building with KASAN, lockdep and kmemleak (about 10 minutes; $log)"
configure() {
	kmake defconfig
	(cd "$dir/tree" && scripts/kconfig/merge_config.sh -m -O "$dir/build" "$dir/build/.config" "$here/config") >>"$log" 2>&1
	kmake olddefconfig
}
configure || die "the configuration of user-mode Linux failed; see $log"
kmake linux modules || die "the build of user-mode Linux failed; see $log"
while read -r line; do
	grep -qxF "$line" "$dir/build/.config" || die "user-mode Linux $version does not take $line"
done < <(grep '=[ym]$' "$here/config")

release=$(cat "$dir/build/include/config/kernel.release")
kmake INSTALL_MOD_PATH="$dir" modules_install || die "modules_install failed; see $log"
rm -f "$dir/lib/modules/$release/build" "$dir/lib/modules/$release/source"
cp "$dir/build/linux" "$dir/linux"
cp -r "$stock/source" "$dir/source"
# What building modules against this tree does not read.
(cd "$dir/tree" && rm -rf Documentation drivers fs net sound samples tools/testing tools/perf)
find "$dir/build" -name '*.o' -not -path '*/scripts/*' -delete
echo "$release" >"$dir/release"
echo "$version" >"$dir/version"
touch "$dir/complete"
echo "$dir"
