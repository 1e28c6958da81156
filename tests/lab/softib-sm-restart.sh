# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# shows: the fabric survives the subnet manager's end, and a new one takes it over as it is
# driver: stock
# timeout: 120
lids() { cat /sys/class/infiniband/softib*/ports/1/lid; }
is_sm() { [ $(($(cat /sys/class/infiniband/softib0/ports/1/cap_mask) & 2)) -ne 0 ]; }
master() { sminfo | grep -q SMINFO_MASTER; }

before=$(lids)
is_sm || fail "IsSM is not set" || exit 1
opensm_stop || exit 1
! is_sm || fail "IsSM outlives OpenSM" || exit 1
ports_active || fail "the ports went down with OpenSM" || exit 1
wait_until 5 peer_answers || fail "no answer without OpenSM" || exit 1

opensm_start
wait_until 30 master || fail "no master" || exit 1
wait_until 30 ports_active || fail "the ports are not active" || exit 1
[ "$(lids)" = "$before" ] || fail "the LIDs changed" || exit 1
wait_until 30 peer_answers || fail "no answer under the new OpenSM" || exit 1
