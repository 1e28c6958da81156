#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows: without root and with a cache that belongs to somebody else, `lab/lab up` boots a guest that stays; commands run in
# it with their input, output, exit code and signals, a shell has a terminal, files go in and out, and `down` ends it.
set -euo pipefail

# shellcheck source=tests/e2e/lib/lab.sh
. "$(dirname "$0")/lib/lab.sh"

clone_of_nobody
nobody lab/lab up 2>"$work/up" || fail "up: $(cat "$work/up")"
seconds=$(sed -n 's/.* up after \([0-9]*\) s.*/\1/p' "$work/up")
echo "up after $seconds s"
[ "$(nobody lab/lab status)" = "kernel 6.1: up" ] || fail "status does not tell"
nobody lab/lab up 2>&1 | grep -q 'is up$' || fail "a second up does not tell"

# Streams and exit code are the command's own.
status=0
echo data | nobody lab/lab run sh -c 'cat; echo problem >&2; exit 7' >"$work/out" 2>"$work/err" || status=$?
[ "$status:$(cat "$work/out"):$(cat "$work/err")" = "7:data:problem" ] || fail "run: $status: $(cat "$work/out" "$work/err")"
nobody lab/lab run ping -c 1 -W 2 10.0.0.2 >/dev/null </dev/null || fail "the peer does not answer: no fabric"
[ "$(nobody lab/lab run sh -c 'yes | head -c 1000000 | wc -c' </dev/null)" = 1000000 ] || fail "output is lost"
nobody lab/lab run echo "two  words" "\$HOME" "it's" </dev/null | grep -qxF "two  words \$HOME it's" || fail "arguments are not the same in the guest"

# Two commands at once, and a caller that is killed takes its command with it.
nobody lab/lab run sleep 300 </dev/null &
caller=$!
sleeps() { [ "$(nobody lab/lab run sh -c 'pidof sleep | wc -w' </dev/null)" = "$1" ]; }
poll 20 sleeps 2 || fail "no second command at a time"
kill_all "lab-call $clone.*sleep"
wait $caller 2>/dev/null || true
poll 20 sleeps 1 || fail "the command of a killed caller runs on"

# Files of any content, there and back.
head -c 300000 /dev/urandom >"$clone/file one"
nobody lab/lab push "file one" README.md /root/in || fail "push"
nobody lab/lab pull /root/in back || fail "pull"
cmp "$clone/file one" "$clone/back/in/file one" || fail "a file has changed on its way"
! nobody lab/lab pull /no/such back 2>/dev/null || fail "pull of nothing succeeds"

# A terminal of the size that this one has; what is typed waits for the prompt.
mkfifo "$work/typed"
nobody script -qec 'stty rows 31 cols 97; lab/lab shell' /dev/null <"$work/typed" >"$work/out" 2>&1 &
shell=$!
exec 7>"$work/typed"
poll 30 grep -q '# ' "$work/out" || fail "no prompt: $(cat "$work/out")"
printf 'stty size; tty; exit 3\n' >&7
status=0
wait $shell || status=$?
exec 7>&-
[ $status = 3 ] || fail "the shell's exit code is lost: $status: $(cat "$work/out")"
for text in '31 97' /dev/pts; do grep -q "$text" "$work/out" || fail "no terminal: $(cat "$work/out")"; done

nobody lab/lab down 2>&1 | grep -q 'is down$' || fail "down does not tell"
nothing_left
[ -s "$clone/build/lab/last-console.log" ] || fail "the console log is lost"
