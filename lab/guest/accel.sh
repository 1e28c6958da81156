#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Finds out whether KVM can boot the guest kernel here, by booting it: a /dev/kvm that exists proves nothing.
#
# usage: accel.sh KERNEL_DIR
# Prints `kvm` or `tcg`. The answer is kept for as long as the host stays up; TXSIG_ACCEL=kvm|tcg overrides it.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lab/guest/common.sh
. "$here/common.sh"

TRIAL_SECONDS=10

kernel=${1:?usage: accel.sh KERNEL_DIR}
case ${TXSIG_ACCEL:-} in
kvm | tcg)
	echo "$TXSIG_ACCEL"
	exit 0
	;;
'') ;;
*) die "TXSIG_ACCEL='$TXSIG_ACCEL': must be kvm or tcg" ;;
esac

verdict=$CACHE/accel-$(cat /proc/sys/kernel/random/boot_id)-$(cat "$kernel/release")
if [ -s "$verdict" ]; then
	cat "$verdict"
	exit 0
fi
if [ ! -w /dev/kvm ]; then
	echo tcg
	exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/root/bin" "$work/root/dev"
cp /bin/busybox "$work/root/bin/busybox"
cat >"$work/root/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox mount -t devtmpfs devtmpfs /dev
echo txsig-trial-ok >/dev/ttyS0
/bin/busybox poweroff -f
INIT
chmod +x "$work/root/init"
(cd "$work/root" && find . | cpio --quiet -o -H newc) >"$work/initrd"
timeout -k 1 "$TRIAL_SECONDS" qemu-system-x86_64 -accel kvm -cpu host -m 512 -smp 1 -nodefaults -display none \
	-no-reboot -kernel "$kernel/vmlinuz" -initrd "$work/initrd" -append 'console=ttyS0 panic=-1' \
	-serial "file:$work/console" >/dev/null 2>&1 </dev/null || true
if grep -q txsig-trial-ok "$work/console" 2>/dev/null; then
	echo kvm >"$work/verdict"
else
	echo tcg >"$work/verdict"
fi
rm -f "$CACHE"/accel-*
cp "$work/verdict" "$verdict"
cat "$verdict"
