# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# shows: two subnets have no way into each other, each has its own subnet manager and prefix
# driver: none
# timeout: 90
ib=/sys/class/infiniband

lid() { echo $(($(cat $ib/$1/ports/$2/lid))); }
all_active() { ! grep -qv ACTIVE $ib/softib*/ports/*/state; }

echo 'subnet_prefix 0xfe80000000000002' >/tmp/second.conf
# Port 1 of each HCA is in the first subnet, port 2 in the second one.
fabric_up hcas=2 ports=2 subnets=2 || exit 1
grep -q INIT $ib/softib0/ports/2/state || fail "one subnet manager has both subnets" || exit 1
mkdir -p /tmp/second
OSM_CACHE_DIR=/tmp/second/ opensm -F /tmp/second.conf -g 0x02736f6674690002 -f /tmp/second.log >/dev/null 2>&1 </dev/null &
wait_until 30 all_active || fail "the second subnet does not come up" || exit 1

grep -q '^fe80:0000:0000:0000:' $ib/softib1/ports/1/gids/0 || fail "the first prefix is wrong" || exit 1
grep -q '^fe80:0000:0000:0002:' $ib/softib1/ports/2/gids/0 || fail "the second prefix is wrong" || exit 1
for port in 1 2; do
	sminfo -C softib1 -P $port >/tmp/sm$port || fail "no subnet manager on port $port" || exit 1
	[ "$(ibnetdiscover -C softib1 -P $port | grep -c '^Ca')" = 2 ] || fail "port $port does not see two HCAs" || exit 1
done
grep -q 0x2736f6674690001 /tmp/sm1 && grep -q 0x2736f6674690002 /tmp/sm2 || fail "not each its own manager" || exit 1

# The same LIDs are in both: what port 2 sends reaches port 2.
ibping -S -C softib1 -P 2 >/dev/null 2>&1 &
server=$!
answers() { ibping -C softib0 -P 2 -c 1 "$(lid softib1 2)" | grep -q ' 1 received'; }
wait_until 5 answers || fail "no answer in the second subnet" || exit 1
ibping -C softib0 -P 1 -c 1 -t 200 "$(lid softib1 2)" >/tmp/answer 2>&1
! grep -q '1 received' /tmp/answer || fail "a packet crossed from one subnet into the other" || exit 1
kill $server
