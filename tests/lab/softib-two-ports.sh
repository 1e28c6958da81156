# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# shows: an HCA with two ports has two links, two LIDs and two sets of counters; one port down leaves the other up
# driver: none
# timeout: 90
ib=/sys/class/infiniband

all_active() { ! grep -qv ACTIVE $ib/softib*/ports/*/state; }
lid() { echo $(($(cat $ib/$1/ports/$2/lid))); }
packets() { perfquery -x -C $1 -P $2 "$(lid $1 $2)" $2 | sed -n 's/^PortXmitPkts:\.*//p'; }

fabric_up hcas=2 ports=2 || exit 1
wait_until 30 all_active || fail "not all ports are active" || exit 1
smpquery nodeinfo "$(lid softib1 2)" | grep -q 'NumPorts:\.*2' || fail "not two ports" || exit 1
[ "$(cat $ib/*/ports/*/lid | sort -u | wc -l)" = 4 ] || fail "ports share a LID" || exit 1
[ "$(ibnetdiscover -p | grep -c '^CA')" = 4 ] || fail "not four links" || exit 1

# From port 2 to port 1 of the other HCA: only the counters of the ports on the way move.
ibping -S -C softib1 -P 1 >/dev/null 2>&1 &
server=$!
answers() { ibping -C softib0 -P 2 -c 1 "$(lid softib1 1)" | grep -q ' 1 received'; }
wait_until 5 answers || fail "no answer through port 2" || exit 1
first=$(packets softib0 1) second=$(packets softib0 2)
ibping -C softib0 -P 2 -c 5 "$(lid softib1 1)" >/tmp/answer 2>&1
grep -q '5 received' /tmp/answer || fail "answers are missing: $(cat /tmp/answer)" || exit 1
kill $server
[ $(($(packets softib0 2) - second)) -ge 5 ] || fail "port 2 counted nothing" || exit 1
[ $(($(packets softib0 1) - first)) -lt 5 ] || fail "port 1 counted what port 2 sent" || exit 1

echo down >/sys/kernel/debug/softib/softib1/port2/link
grep -q DOWN $ib/softib1/ports/2/state || fail "port 2 is not down" || exit 1
port_active softib1 1 || fail "port 1 went down too" || exit 1
echo up >/sys/kernel/debug/softib/softib1/port2/link
wait_until 30 all_active || fail "port 2 does not come back" || exit 1
