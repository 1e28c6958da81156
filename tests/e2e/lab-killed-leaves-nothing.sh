#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows: whatever is killed with SIGKILL, the machine, `lab up` while it boots, or `lab run`, `lab/lab down` finds what it left,
# says so and removes it; a guest that cannot boot says why and leaves nothing but its console log.
set -euo pipefail

# shellcheck source=tests/e2e/lib/lab.sh
. "$(dirname "$0")/lib/lab.sh"

clone_of_nobody
log=$work/log

# says TEXT COMMAND...: nobody's command says so, whatever its exit code, which is left in $status.
says() {
	local text=$1
	shift
	status=0
	nobody "$@" >"$log" 2>&1 </dev/null || status=$?
	grep -qF -- "$text" "$log" || fail "$* does not say '$text' but: $(cat "$log")"
}

# A machine that was killed.
says "is up after" lab/lab up --bare
kill -KILL "$(guests)"
poll 10 no_guests || fail "a killed machine lives"
says "has died" lab/lab run true
[ $status = 125 ] || fail "a command in a dead guest exits $status"
says "had died: cleaned up after it" lab/lab down
nothing_left

# A lab command that was killed while its guest boots.
nobody lab/lab up --bare >"$log" 2>&1 &
poll 60 guests >/dev/null || fail "no guest was started: $(cat "$log")"
kill_all "lab/(lab|stay.sh) up"
wait
guests >/dev/null || fail "the guest should go on by itself"
says "is down" lab/lab down
nothing_left

# A guest for one command: it goes with the killed lab command, and down removes the files.
nobody lab/lab run --bare sleep 300 >"$log" 2>&1 </dev/null &
poll 60 guests >/dev/null || fail "no guest was started: $(cat "$log")"
kill_all "lab/lab run --bare sleep"
wait
poll 10 no_guests || fail "the guest of a killed command runs on"
says "a killed script left" lab/lab down
nothing_left

# Guests that cannot boot.
kernel=$(echo "$cache"/kernel-*)
image=$(echo "$cache"/guest-*)
refuses() {
	says "the guest did not boot: $1" env "${@:2}" lab/lab up --bare
	[ $status = 125 ] || fail "a guest that does not boot exits $status"
	nothing_left
}
mv "$kernel/vmlinuz" "$kernel/kept"
refuses "qemu: could not" A=
mv "$kernel/kept" "$kernel/vmlinuz"
refuses "not up after 1 s" TXSIG_BOOT_SECONDS=1
mv "$image" "$image.kept"
head -c 100000 /dev/zero >"$image"
refuses "[" A=
grep -q 'Kernel panic' "$log" || fail "a broken image is not told: $(cat "$log")"
