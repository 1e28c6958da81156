#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows: a guest that its emulator has failed (QEMU before 8.1 now and then makes the kernel meet a breakpoint that nobody has
# set) is started once more, at the boot and in a test; one that fails twice has failed, and says of what.
set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
work=$(mktemp -d)
cleanup() {
	lab/lab down >/dev/null 2>&1 || true
	rm -rf "$work"
}
trap cleanup EXIT

# A QEMU that does so as often as $work/failures has lines, and before or after its guest is ready as these say.
cat >"$work/qemu-system-x86_64" <<QEMU
#!/bin/bash
when=\$(head -n1 "$work/failures")
sed -i 1d "$work/failures"
[ -n "\$when" ] || exec $(command -v qemu-system-x86_64) "\$@"
for argument; do
	case \$argument:\$when in
	file:*/console.log:*) echo '[    2.468849] Oops: int3: 0000 [#1] PREEMPT SMP NOPTI' >"\${argument#file:}" ;;
	file:*/job.log:ready) echo 'txsig-guest: ready' >"\${argument#file:}" ;;
	esac
done
QEMU
chmod +x "$work/qemu-system-x86_64"
export PATH=$work:$PATH TXSIG_ACCEL=tcg

# with FAILURES CODE TEXT COMMAND...: the command ends with CODE and says TEXT.
with() {
	local code=$2 text=$3 status=0
	printf '%s\n' "$1" | tr ' ' '\n' >"$work/failures"
	shift 3
	"$@" >"$work/log" 2>&1 </dev/null || status=$?
	if [ "$status" != "$code" ] || ! grep -q -- "$text" "$work/log"; then
		echo "$*: exit $status, wanted $code and '$text':"
		cat "$work/log"
		exit 1
	fi
}

with boot 7 'the emulator failed the guest while it booted (.*Oops: int3.*): once more' lab/lab run --bare sh -c 'exit 7'
with boot 0 'is up after' lab/lab up --bare
grep -q 'the emulator failed the guest while it booted (.*Oops: int3.*): once more' "$work/log" || { cat "$work/log" && exit 1; }
with '' 0 'is down' lab/lab down
with 'boot boot' 125 'did not boot: .*Oops: int3' lab/lab run --bare true
with 'boot boot' 125 'did not boot: .*Oops: int3' lab/lab up --bare

# A guest that has died while it ran a command has done a part of it: that is the caller's to decide.
with ready 126 'the guest died: .*Oops: int3' lab/lab run --bare true

# Of the tests.
with ready 0 '^txsig-test: softib-link 0' tests/run-lab 6.1 softib-link
grep -q 'the emulator failed the guest in softib-link' "$work/log" || { cat "$work/log" && exit 1; }
with 'ready ready' 0 '^txsig-test: softib-link 1 0 .*died: .*Oops: int3' tests/run-lab 6.1 softib-link
