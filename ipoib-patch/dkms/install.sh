#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Installs ib_ipoib with the series through DKMS for a Debian kernel, or removes it again.
#
# usage: install.sh [--remove | --source-only DIR] [--root DIR] [--headers DIR] [RELEASE]
#   RELEASE        kernel to install for, as `uname -r` prints it (default: the running one)
#   --remove       take the module out of DKMS for all kernels; Debian's own is used from the next load on
#   --source-only  only write the DKMS source tree to DIR
#   --root         work in this directory instead of / (DIR/usr/src, DIR/var/lib/dkms, DIR/lib/modules), without depmod
#   --headers      the kernel's headers (default: /lib/modules/RELEASE/build)
# Needs dkms and the kernel's headers (linux-headers-RELEASE). Never loads or unloads a module.
# Exit codes: 0 done, 1 failed, 2 usage.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
name=txsig-ipoib
die() { echo "dkms: $*" >&2; exit 1; }
usage() { sed -n 's/^# \{0,1\}//; /^usage/,/^Needs/p' "$0" >&2; exit 2; }

remove='' only='' root='' headers='' release=$(uname -r)
while [ $# -gt 0 ]; do
	case $1 in
	--remove) remove=1 ;;
	--source-only) [ $# -gt 1 ] || usage; only=$2; shift ;;
	--root) [ $# -gt 1 ] || usage; root=$(realpath -m "$2"); shift ;;
	--headers) [ $# -gt 1 ] || usage; headers=$(realpath -m "$2"); shift ;;
	-*) usage ;;
	*) release=$1 ;;
	esac
	shift
done

trees=(--dkmstree "$root/var/lib/dkms" --sourcetree "$root/usr/src" --installtree "$root/lib/modules")
[ -z "$root" ] || trees+=(--no-depmod)

versions() { dkms status "${trees[@]}" "$name" 2>/dev/null | sed -n "s|^${name}[/ ,]*\([^,: ]*\).*|\1|p" | sort -u; }

remove_all() {
	local version
	for version in $(versions); do
		dkms remove "${trees[@]}" "$name/$version" --all || die "dkms could not remove $name/$version"
		rm -rf "$root/usr/src/$name-$version"
	done
}

# write_source DIR: the whole ipoib directory with the series applied, and dkms.conf.
write_source() {
	local kernel tree
	kernel=$("$top/lab/guest/kernel.sh" "$series")
	version=$(sed 's/-.*//' "$kernel/version")
	tree=$(mktemp -d)
	cp -r "$kernel/source/." "$tree"
	"$here/../apply.sh" --version "$version" "$tree" || { rm -rf "$tree"; exit 1; }
	mkdir -p "$1"
	cp "$tree"/drivers/infiniband/ulp/ipoib/* "$1"
	rm -rf "$tree"
	sed "s/@VERSION@/$version/; s/@SERIES_RE@/${series//./\\\\.}/" "$here/dkms.conf.in" >"$1/dkms.conf"
}

if [ -n "$remove" ]; then
	command -v dkms >/dev/null || die "dkms is not installed, so nothing is to be removed"
	[ -n "$(versions)" ] || die "$name is not in DKMS"
	remove_all
	echo "dkms: removed; reload ib_ipoib (or reboot) to use Debian's"
	exit
fi

series=$(sed -n 's/^\([0-9]*\.[0-9]*\)\.[0-9]*[-+].*-\?\(amd64\|arm64\|ppc64el\)$/\1/p' <<<"$release")
if [ -z "$series" ] || [ ! -d "$here/../linux-$series" ]; then
	die "kernel $release is not one the series was tested on (Debian's $(cd "$here/.." && echo linux-* | sed 's/linux-//g; s/ / and /'))"
fi
if [ -n "$only" ]; then
	write_source "$only"
	exit
fi

[ "$(id -u)" = 0 ] || die "must be run as root"
command -v dkms >/dev/null || die "dkms is missing: apt-get install dkms"
headers=${headers:-/lib/modules/$release/build}
[ -e "$headers/Makefile" ] || die "the headers are missing: apt-get install linux-headers-$release"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
write_source "$work/source"
remove_all
mkdir -p "$root/usr/src" "$root/var/lib/dkms" "$root/lib/modules/$release"
cp -r "$work/source" "$root/usr/src/$name-$version"
dkms add "${trees[@]}" "$name/$version"
dkms install "${trees[@]}" --kernelsourcedir "$headers" "$name/$version" -k "$release" ||
	die "the build failed; see $root/var/lib/dkms/$name/$version/build/make.log"
echo "dkms: installed for $release; reload ib_ipoib (or reboot) to use it"
