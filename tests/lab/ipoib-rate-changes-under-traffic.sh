# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: rate, bound and burst mode change under traffic without a stall, and every packet sent is one WR of the HCA
# timeout: 120
. tests/lab/ipoib.inc

sender_only on || die "no sender-only mode"
before=$(hca_counter tx_wrs) flushes=$(stat tx_flush)
"$ubench" UDP_STREAM -P 0 -N -H $PEER_ADDR -l 8 --json -- -m 100 -p 9 >/tmp/flow.json 2>/tmp/flow.err &
flow=$!
changes=0 last=$before
while kill -0 $flow 2>/dev/null; do
	for rate in 32 1 7 16 2 31 3; do
		set_rate $rate $((changes % 4 * 5000))
		changes=$((changes + 1))
	done
	usleep 200000
	now=$(hca_counter tx_wrs)
	[ "$now" != "$last" ] || ! kill -0 $flow 2>/dev/null || stalls=$((stalls + 1))
	[ "${stalls:-0}" -lt 5 ] || die "no packet was sent for a second"
	[ "$now" = "$last" ] || stalls=0
	last=$now
done
wait $flow || die "the flow failed: $(cat /tmp/flow.err)"
wait_until 2 nothing_outstanding || die "sends stay outstanding"
echo "$changes changes, $(($(hca_counter tx_wrs) - before)) WRs, $(($(stat tx_flush) - flushes)) flushes"
[ $changes -gt 50 ] || die "only $changes changes were made"
[ "$(stat tx_errors)" = 0 ] || die "$(stat tx_errors) TX errors"
