# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# shows: a port protected by an M_Key answers nobody without it, counts and reports who tries, and lets the lease end it
# driver: none
# timeout: 90
cat >/tmp/mkey.conf <<EOF
m_key 0x1234
m_key_protection_level 2
m_key_lease_period 2
sweep_interval 1
EOF
OPENSM_OPTIONS="-F /tmp/mkey.conf" fabric_up switch=1 || exit 1
lid=$(($(cat /sys/class/infiniband/softib1/ports/1/lid)))

protected() { ! smpquery -t 100 portinfo $lid 1; }
wait_until 10 protected || fail "the port answers without the key" || exit 1
violations=$(smpquery -y 0x1234 portinfo $lid 1 | sed -n 's/^MkeyViolations:\.*//p')
[ "${violations:-0}" -ge 1 ] || fail "the port counts '$violations' violations" || exit 1
reported() { grep -q 'num:256' /var/log/opensm.log; }
wait_until 5 reported || fail "no trap 256" || exit 1
protected || fail "the right key ended the protection" || exit 1

# Nobody has the key any more: two seconds after the first try without it, anybody may.
killall -9 opensm
protected || fail "the port answers at once" || exit 1
open() { smpquery -t 100 portinfo $lid 1; }
wait_until 10 open || fail "the lease does not end" || exit 1
