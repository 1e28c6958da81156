#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds the checking kernel: user-mode Linux from Debian's source with KASAN, lockdep, kmemleak and fault injection.
#
# usage: kernel.sh 6.12         (about 10 minutes on 2 cores, once)
# Prints a directory laid out like that of lab/guest/kernel.sh, with `linux`, an executable, in place of vmlinuz.
# Series 6.1 is not built: its user-mode Linux walks the memory map without its lock at every fork, which lockdep reports, and
# knows no check for sleeping in atomic context.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lab/guest/common.sh
. "$here/../guest/common.sh"

series=${1:?usage: kernel.sh SERIES}
[ "$series" = 6.12 ] || die "kernel series '$series': user-mode Linux is built from 6.12 only"
stock=$("$here/../guest/kernel.sh" "$series")
version=$(cat "$stock/version")
dir=$CACHE/uml-${version//[^A-Za-z0-9.+~-]/_}-$(cat "$here/config" "$here/kernel.sh" | sha256sum | cut -c1-12)
if [ -e "$dir/complete" ]; then
	echo "$dir"
	exit 0
fi

# The build remembers absolute paths, so it happens where it stays; one that was interrupted goes on.
mkdir -p "$dir/build"
exec 9>"$dir/lock"
flock 9
[ ! -e "$dir/complete" ] || { echo "$dir" && exit 0; }
log=$dir/build.log
kmake() { make -s -C "$dir/tree" ARCH=um O="$dir/build" -j"$(nproc)" "$@" >>"$log" 2>&1; }

unpack() {
	local deb
	[ ! -e "$dir/tree/.unpacked" ] || return 0
	rm -rf "$dir/tree" "$dir/deb"
	mkdir "$dir/tree" "$dir/deb"
	(cd "$dir/deb" && apt-get -q -o APT::Sandbox::User=root download "linux-source-$series=$version") >"$log" 2>&1 ||
		die "the download of linux-source-$series failed: $(grep '^E:' "$log" | head -n1 | sed 's#[a-z]*://[^ ]*##g')"
	deb=$(echo "$dir/deb"/*.deb)
	dpkg-deb --fsys-tarfile "$deb" | tar -xO --wildcards '*/linux-source-*.tar.xz' |
		tar -C "$dir/tree" --strip-components=1 -xJ
	rm -rf "$dir/deb"
	touch "$dir/tree/.unpacked"
}

# Every line of the configuration holds, or the kernel would check less than it says.
configure() {
	local line
	kmake KCONFIG_ALLCONFIG="$here/config" allnoconfig || die "the configuration failed; see $log"
	while read -r line; do
		grep -qxF "$line" "$dir/build/.config" || die "user-mode Linux $version does not take $line"
	done < <(grep -v '^#' "$here/config")
}

# What building modules does not read.
prune() {
	(cd "$dir/tree" && rm -rf Documentation LICENSES drivers fs net sound samples rust crypto security mm kernel ipc block \
		io_uring virt tools/testing tools/perf)
	find "$dir/build" -name '*.o' -not -path '*/scripts/*' -delete
	rm -f "$dir/build/linux" "$dir/build/vmlinux"
}

say "user-mode Linux $version: unpacking the source"
unpack
configure
say "user-mode Linux $version: building it with KASAN, lockdep and kmemleak, about 10 minutes on 2 cores ($log)"
kmake linux modules || die "the build of user-mode Linux failed; see $log"

release=$(cat "$dir/build/include/config/kernel.release")
kmake INSTALL_MOD_PATH="$dir" modules_install || die "modules_install failed; see $log"
rm -f "$dir/lib/modules/$release/build" "$dir/lib/modules/$release/source"
cp "$dir/build/linux" "$dir/linux"
rm -rf "$dir/source"
cp -r "$stock/source" "$dir/source"
echo "$release" >"$dir/release"
echo "$version" >"$dir/version"
prune
touch "$dir/complete"
echo "$dir"
