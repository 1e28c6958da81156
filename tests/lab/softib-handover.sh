# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# shows: of two subnet managers the one with the higher priority takes over, and when it is killed the other one does
# driver: none
# timeout: 120
printf '%s\n' 'sminfo_polling_timeout 500' 'polling_retry_number 2' >/tmp/sm.conf

# master PORT_GUID: that port's manager is the master.
master() { sminfo -C softib2 | grep -q "sm guid $1, .*SMINFO_MASTER"; }

OPENSM_OPTIONS="-F /tmp/sm.conf -p 3" fabric_up hcas=3 && driver_load stock || exit 1
master 0x2736f6674690001 || fail "softib0's manager is not the master: $(sminfo -C softib2)" || exit 1
before=$(cat /sys/class/infiniband/softib*/ports/1/lid)

mkdir -p /tmp/second
OSM_CACHE_DIR=/tmp/second/ opensm -F /tmp/sm.conf -p 9 -g 0x02736f6674690101 -f /tmp/second.log >/dev/null 2>&1 </dev/null &
second=$!
wait_until 30 master 0x2736f6674690101 || fail "no hand-over: $(sminfo -C softib2)" || exit 1
wait_until 10 peer_answers || fail "no answer after the hand-over" || exit 1

kill -9 $second
wait_until 30 master 0x2736f6674690001 || fail "nobody took over: $(sminfo -C softib2)" || exit 1
wait_until 20 ports_active || fail "the ports are not active" || exit 1
wait_until 10 peer_answers || fail "no answer after the take-over" || exit 1
[ "$(cat /sys/class/infiniband/softib*/ports/1/lid)" = "$before" ] || fail "the LIDs changed" || exit 1
