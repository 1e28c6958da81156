# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# shows: OpenSM hears of links, names, capabilities and bad Q_Keys from the ports themselves, without a sweep
# driver: none
# timeout: 90
. tests/lab/lib/verbs_check.sh
log=/var/log/opensm.log

echo 'sweep_interval 0' >/tmp/nosweep.conf
OPENSM_OPTIONS="-F /tmp/nosweep.conf" fabric_up hcas=3 || exit 1

# reported NUMBER COUNT: that many traps of the number have arrived.
reported() { [ "$(grep -c "num:$1 " $log)" -ge "$2" ]; }

# The switch sees a link go and come; with no sweep, only its trap makes OpenSM look.
echo down >/sys/kernel/debug/softib/softib2/port1/link
wait_until 10 reported 128 1 || fail "no trap 128 for a link that went" || exit 1
echo up >/sys/kernel/debug/softib/softib2/port1/link
wait_until 20 port_active softib2 || fail "the link does not come back" || exit 1

echo renamed >/sys/class/infiniband/softib1/node_desc
wait_until 10 reported 144 1 || fail "no trap 144 for a new name" || exit 1
renamed() { saquery -N | grep -q renamed; }
wait_until 10 renamed || fail "OpenSM does not know the new name" || exit 1

verbs_check ud 22 || exit 1
wait_until 10 reported 258 1 || fail "no trap 258 for a bad Q_Key" || exit 1
lid=$(($(cat /sys/class/infiniband/softib0/ports/1/lid)))
smpquery portinfo $lid 1 | grep -q 'QkeyViolations:\.*[1-9]' || fail "no Q_Key violation is counted" || exit 1
