#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the guest's base initramfs from installed Debian files and the modules of a cached kernel.
#
# usage: image.sh KERNEL_DIR
# Prints the path of the archive, made once for each content: it is named by a hash of all that goes into it.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lab/guest/common.sh
. "$here/common.sh"
# shellcheck source=lab/guest/machine.sh
. "$here/machine.sh"

kernel=${1:?usage: image.sh KERNEL_DIR}
release=$(cat "$kernel/release")

entries() { sed 's/#.*//; /^[[:space:]]*$/d' "$1"; }

# Programs and the libraries they load, one path a line.
programs() {
	local files file
	mapfile -t files < <(entries "$here/files.txt"; echo /bin/busybox)
	for file in "${files[@]}"; do
		[ -e "$file" ] || die "$file is not installed: run make deps"
		echo "$file"
	done
	{ ldd "${files[@]}" 2>/dev/null || true; } |
		sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p; s/^[[:space:]]*\(\/[^ ]*\) (.*/\1/p'
	find /usr/lib/x86_64-linux-gnu/libibverbs /etc/libibverbs.d -type f -name '*rxe*' 2>/dev/null || true
}

# The listed modules and what they depend on; those built into the kernel need no file. Debian's kernels have all of them,
# the checking kernel has what its tests need.
modules() {
	local names
	mapfile -t names < <(entries "$here/modules.txt")
	if [ "$(machine_of "$kernel")" = uml ]; then
		modprobe -d "$kernel" -S "$release" -a --show-depends "${names[@]}" 2>/dev/null || true
	else
		modprobe -d "$kernel" -S "$release" -a --show-depends "${names[@]}" || die "kernel $release lacks modules of modules.txt"
	fi
}

list=$(programs | sort -u)
mapfile -t program_list <<<"$list"
list=$(modules | sed -n 's/^insmod \([^ ]*\).*/\1/p' | sort -u)
mapfile -t module_list <<<"$list"
key=$({ cat "$here/init" "$here/image.sh"; echo "$kernel"; printf '%s\n' "${module_list[@]}"
	stat -L -c '%n %s %Y' "${program_list[@]}"; } | sha256sum | cut -c1-16)
image=$CACHE/guest-$release-$key.cpio
if [ -e "$image" ]; then
	echo "$image"
	exit 0
fi

say "guest image for $release: packing"
root=$(mktemp -d "$CACHE/image.part.XXXXXX")
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
# Debian's merged /usr: one bin, one sbin, one lib.
mkdir -p "$root"/{usr/bin,usr/sbin,usr/lib/x86_64-linux-gnu,usr/lib64,etc,proc,sys,dev,root,run,tmp,out,var,txsig}
ln -s usr/bin usr/sbin usr/lib usr/lib64 "$root/"
for file in "${program_list[@]}"; do
	mkdir -p "$root$(dirname "$file")"
	cp -L "$file" "$root$file"
done
for tool in modprobe insmod rmmod lsmod modinfo depmod; do
	ln -s /bin/kmod "$root/usr/sbin/$tool"
done
for module in "${module_list[@]}"; do
	to=$root/usr/lib/modules/$release/${module#"$kernel/lib/modules/$release/"}
	mkdir -p "$(dirname "$to")"
	case $module in
	*.xz) xz -dc "$module" >"${to%.xz}" ;;
	*) cp "$module" "$to" ;;
	esac
done
cp "$kernel/lib/modules/$release"/modules.{order,builtin,builtin.modinfo} "$root/usr/lib/modules/$release/" 2>/dev/null || true
depmod -b "$root" "$release"
printf 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n' >"$root/etc/passwd"
printf 'root:x:0:\nnogroup:x:65534:\n' >"$root/etc/group"
printf '127.0.0.1 localhost\n::1 localhost\n' >"$root/etc/hosts"
printf 'hosts: files\npasswd: files\ngroup: files\n' >"$root/etc/nsswitch.conf"
install -m 755 "$here/init" "$root/init"
# Times of files would make two images differ, and with them the virtual time of two boots.
find "$root" -exec touch -h -d @0 {} +
(cd "$root" && find . -print0 | sort -z | cpio --null --quiet -R 0:0 --reproducible -o -H newc) >"$image.part.$$"
mv "$image.part.$$" "$image"
find "$CACHE" -maxdepth 1 -name 'guest-*.cpio*' -mtime +7 -delete
echo "$image"
