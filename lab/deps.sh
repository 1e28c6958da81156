#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Installs the Debian packages of packages.txt that are missing; does nothing, and needs no root, when none is.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lab/guest/common.sh
. "$here/guest/common.sh"

mapfile -t wanted < <(sed 's/#.*//; /^[[:space:]]*$/d' "$here/../packages.txt")
missing=()
for package in "${wanted[@]}"; do
	status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
	[ "$status" = "install ok installed" ] || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
	[ "$(id -u)" = 0 ] || die "not root; ask root to run: apt-get install ${missing[*]}"
	say "installing ${missing[*]}"
	log=$(mktemp)
	trap 'rm -f "$log"' EXIT
	export DEBIAN_FRONTEND=noninteractive
	{ apt-get -q update && apt-get -qy install --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 || {
		tail -n 20 "$log" | sed 's#[a-z]*://[^ ]*##g' >&2
		die "apt-get could not install ${missing[*]}"
	}
fi
# kernel.sh asks the package lists; a fresh machine has none.
if [ -z "$(apt-cache policy linux-headers-amd64 2>/dev/null)" ] && [ "$(id -u)" = 0 ]; then
	apt-get -q update >/dev/null 2>&1 || true
fi
