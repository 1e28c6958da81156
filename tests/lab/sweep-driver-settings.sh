# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash
# shows: ethtool's values of the real driver are knobs of a sweep: a grid of tx-frames and tx-usecs, its CQEs and what is held, all put back, after SIGKILL too
# timeout: 120
ubench=/txsig/build/ubench
export TXSIG_SENDER_ONLY=1

die() { echo "$*"; exit 1; }
coalesce() { ethtool -c ib0 | awk '$1 == "tx-usecs:" { u = $2 } $1 == "tx-frames:" { f = $2 } END { print f, u }'; }
as_before() { [ "$(coalesce)" = "4 15000" ]; }
begun() { [ "$(coalesce)" = "16 15000" ]; }

sender_only on || die "the fabric does not drop"
ethtool -C ib0 tx-frames 4 tx-usecs 15000 || die "ethtool -C failed"
$ubench sweep --iface ib0 --knob ethtool:tx-frames=1,8 --knob ethtool:tx-usecs=10000,20000 --repeat 1 --output /tmp/grid \
	-- UDP_STREAM -N -H "$PEER_ADDR" -l -20000 -- -m 100 -p 9 >/tmp/tables 2>/tmp/said || die "$(tail -n1 /tmp/said)"
as_before || die "tx-frames and tx-usecs are $(coalesce)"
$ubench report --check /tmp/grid || die "the result breaks the schema"
head -n1 /tmp/grid/summary.csv | grep -q '^ethtool:tx-frames,ethtool:tx-usecs,sender_pps' || die "the header of a grid: $(cat /tmp/grid/summary.csv)"
awk -F, 'NR == 1 { next }
	{ off = $6 * $1 - 1
	  if (off < -0.005 || off > 0.1 || $12 != $1 - 1 || $13 != $2) bad = 1 }
	END { exit bad || NR != 5 }' /tmp/grid/summary.csv || die "CQEs a packet or what is held: $(cat /tmp/grid/summary.csv)"

$ubench sweep --iface ib0 --knob ethtool:tx-frames=16 --output /tmp/killed \
	-- UDP_STREAM -N -H "$PEER_ADDR" -l 100 -- -m 100 -p 9 >/dev/null 2>&1 &
pid=$!
wait_until 20 begun || die "the sweep does not begin"
kill -9 $pid
wait_until 20 as_before || die "after SIGKILL: $(coalesce)"
$ubench sweep --iface ib0 --knob ethtool:ring-tx=64 -- UDP_STREAM -N -H "$PEER_ADDR" -l -10 >/dev/null 2>/tmp/said &&
	die "a ring that ethtool does not know is swept"
grep -q 'ib0 has no ethtool:ring-tx' /tmp/said || die "said: $(cat /tmp/said)"
sender_only off
