# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: an HCA that sends nothing for longer than the watchdog allows: 6.12 reopens ib0, 6.1 waits; both go on, none is held
# timeout: 180
. tests/lab/ipoib.inc

faults=/sys/kernel/debug/softib/softib0
ring=$(($(cat "$knobs"/tx_signal_rate_max) * 4))

timed_out() { dmesg | grep -q 'ib0: transmit timeout'; }
# A queue pair that goes to ERR flushes what it has not sent, each with a completion.
reopened() { [ "$(hca_counter tx_errors)" -gt "$errors" ]; }
going_on() { [ $(($(hca_counter tx_delivered) - delivered)) -gt $((4 * ring)) ]; }

# 6.1 warns of a watchdog's bite as of a fault of the kernel's.
echo 0 >/proc/sys/kernel/panic_on_warn
trap 'echo 0 >$faults/stall_send; kill $flow 2>/dev/null; echo 1 >/proc/sys/kernel/panic_on_warn' EXIT
set_rate 32 1000000
dmesg -c >/dev/null
errors=$(hca_counter tx_errors) delivered=$(hca_counter tx_delivered)
"$ubench" UDP_STREAM -P 0 -N -H "$PEER_ADDR" -l 120 -- -m 1000 -p 9 >/dev/null 2>&1 &
flow=$!
wait_until 5 going_on || die "no traffic before the stall"
echo 1 >$faults/stall_send
wait_until 5 queue_stopped "$ring" || die "the queue does not stop with $(stat tx_outstanding) sends in the ring of $ring"
wait_until 60 timed_out || die "the watchdog never bites"
case $(uname -r) in
6.1.*) ;;
*) wait_until 10 reopened || die "ib0 is not reopened: $(($(hca_counter tx_errors) - errors)) sends flushed" ;;
esac
delivered=$(hca_counter tx_delivered) start=$(uptime_ms)
echo 0 >$faults/stall_send
wait_until 30 going_on || die "no traffic after the stall"
echo "$(uname -r): goes on after $(($(uptime_ms) - start)) ms, $(($(hca_counter tx_errors) - errors)) sends flushed"
kill $flow
wait $flow
wait_until 20 peer_answers || die "no answer after the stall"
wait_until 3 nothing_outstanding || die "$(stat tx_outstanding) sends stay outstanding"
wait_until 3 hca_balanced || die "a send is neither delivered nor counted: $(hca_balance)"
[ "$(stat tx_errors)" = 0 ] || die "$(stat tx_errors) TX errors"
case $(uname -r) in
6.1.*) reopened && die "6.1 has flushed its sends" ;;
esac

# The watchdog's own report is all that the log holds.
[ "$(dmesg | grep -c 'WARNING: ')" -le 1 ] || die "more than the watchdog warns: $(dmesg | grep -m 2 'WARNING: ')"
log_faults | grep -vE 'NETDEV WATCHDOG|Call Trace|WARNING: .*dev_watchdog' && die "the kernel log has more than the watchdog"
dmesg -c >/dev/null
