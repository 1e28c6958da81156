# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash
# shows: a sweep with the driver hook reports one CQE a packet unpatched and at rate 1, and about 1/rate above
# timeout: 180
ubench=/txsig/build/ubench
export TXSIG_SENDER_ONLY=1

die() { echo "$*"; exit 1; }

sender_only on || die "the fabric does not drop"
$ubench sweep --iface ib0 --rates unpatched,1,8,32 --repeat 2 --driver-hook /txsig/lab/guest/driver-hook \
	--output /tmp/run -- UDP_STREAM -N -H "$PEER_ADDR" -l -20000 -- -m 100 -p 9 >/tmp/tables 2>/tmp/said || die "$(tail -n1 /tmp/said)"
[ "$(tail -n1 /tmp/tables)" = /tmp/run ] || die "the last line is not the path"
$ubench report --check /tmp/run || die "the result breaks the schema"

# The timer may flush early on a busy host, so a little more than 1/rate is right and less is wrong.
awk -F, 'NR == 1 { next }
	{ want = $1 == "unpatched" ? 1 : 1 / $1; off = $5 / want - 1
	  if (off < -0.005 || off > 0.1) { printf "rate %s: %s CQEs a packet\n", $1, $5; bad = 1 } }
	END { exit bad || NR != 5 }' /tmp/run/summary.csv || die "CQEs a packet: $(cut -d, -f1,5 /tmp/run/summary.csv | tail -n +2 | tr '\n' ' ')"
[ "$(cat /sys/class/net/ib0/tx_signal_rate)" = 1 ] || die "tx_signal_rate is not as it was"
