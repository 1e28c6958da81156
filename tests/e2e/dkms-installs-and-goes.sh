#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# DKMS builds ib_ipoib with the series for both kernels, puts it under updates/dkms and takes all of it away again, in a
# directory of its own; a kernel the series was not tested on is refused by name. What was built before is known from the cache.
set -euo pipefail

# shellcheck source=lab/guest/common.sh
. lab/guest/common.sh
install=ipoib-patch/dkms/install.sh
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
command -v dkms >/dev/null || { echo "dkms is not installed"; exit 4; }

for release in 6.6.9-amd64 5.10.0-30-amd64 6.1.192 6.12.1-arch1-1; do
	! said=$($install --root "$root" "$release" 2>&1) || die "$release was taken"
	[ "$said" = "dkms: kernel $release is not one the series was tested on (Debian's 6.1 and 6.12)" ] || die "$release: $said"
done
[ -z "$(find "$root" -type f)" ] || die "a refused kernel left files behind"

for series in 6.1 6.12; do
	kernel=$(lab/guest/kernel.sh "$series")
	release=$(cat "$kernel/release")
	rm -rf "$root/source"
	$install --source-only "$root/source" "$release" >/dev/null
	known=$CACHE/clean-steps/dkms-$({ gcc --version; dkms --version; cat "$kernel/version" "$install" "$root"/source/*; } | sha256sum | cut -c1-32)
	[ ! -e "$known" ] || continue

	$install --root "$root/$series" --headers "$kernel/build" "$release" >"$root/log" 2>&1 ||
		die "$release: $(tail -n 3 "$root/log")"
	module=$(find "$root/$series/lib/modules/$release/updates/dkms" -name 'ib_ipoib.ko*') || true
	[ -n "$module" ] || die "$release: no module under updates/dkms"
	[ "$(modinfo -F vermagic "$module" | cut -d' ' -f1)" = "$release" ] || die "$release: the module is for $(modinfo -F vermagic "$module")"
	modinfo -F parm "$module" | grep -q '^tx_signal_rate:' || die "$release: the module is not the patched one"
	[ "$($install --root "$root/$series" --remove 2>&1 | tail -n1)" = "dkms: removed; reload ib_ipoib (or reboot) to use Debian's" ] ||
		die "$release: removing failed"
	left=$(find "$root/$series" -name '*ipoib*')
	[ -z "$left" ] || die "$release: left behind: $left"
	mkdir -p "${known%/*}"
	touch "$known"
done
