#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Packs what this clone built, and the job to run, on top of the guest's base image.
#
# usage: kit.sh KERNEL_DIR OUT_INITRD JOB_FILE
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lab/guest/common.sh
. "$here/common.sh"

kernel=${1:?usage: kit.sh KERNEL_DIR OUT_INITRD JOB_FILE} out=$2 job=$3
top=$(cd "$here/../.." && pwd)
release=$(cat "$kernel/release")
build=$top/build
for program in ubench lab-agent lab-fail-nth; do
	[ -x "$build/$program" ] || die "build/$program is missing: run make"
done
[ -e "$build/lab/$release/softib/softib.ko" ] || die "build/lab/$release is missing: run lab/lab build"

base=$("$here/image.sh" "$kernel")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
kit=$root/txsig
mkdir -p "$kit/build" "$kit/lab" "$kit/results"
cp "$build/ubench" "$build/lab-agent" "$build/lab-fail-nth" "$kit/build/"
cp -r "$build/lab/$release" "$kit/modules"
cp -r "$top/lab/guest" "$kit/lab/"
for part in sysfs-scripts results/reference; do
	[ ! -d "$top/$part" ] || cp -r "$top/$part" "$kit/$part"
done
mkdir -p "$kit/tests"
[ ! -d "$top/tests/lab" ] || cp -r "$top/tests/lab" "$kit/tests/"
cp "$job" "$kit/job"
ldd "$build/ubench" | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p; s/^[[:space:]]*\(\/[^ ]*\) (.*/\1/p' | while read -r library; do
	mkdir -p "$root/usr${library%/*}"
	cp -L "$library" "$root/usr$library"
done
# Times of files would make two images differ, and with them the virtual time of two boots.
find "$root" -exec touch -h -d @0 {} +
# The kernel unpacks archives one after the other, so the base image is used as it stands.
{ cat "$base"; (cd "$root" && find . -mindepth 1 -print0 | sort -z | cpio --null --quiet -R 0:0 --reproducible -o -H newc); } >"$out"
