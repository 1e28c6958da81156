# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# shows: every send request ends delivered, in one drop counter, as an error or discarded, whatever becomes of it
# engines: poster thread

both_balanced() { hca_balance softib0 && hca_balance softib1; }

flood() { build/ubench UDP_STREAM -H $PEER_ADDR -l -2000 -N -P 0 -- -m 100 >/dev/null; }

flood || fail "no flood" || exit 1
wait_until 5 both_balanced || both_balanced || exit 1

sender_only on || fail "sender_only" || exit 1
before=$(hca_counter drop_fabric)
flood || fail "no flood" || exit 1
wait_until 5 both_balanced || both_balanced || exit 1
dropped=$(($(hca_counter drop_fabric) - before))
# The guest may send a neighbour probe of its own.
[ $dropped -ge 2000 ] && [ $dropped -le 2010 ] || fail "$dropped packets dropped at the fabric, not 2000" || exit 1
sender_only off

# At rate 1 every request has a completion.
all_complete() { [ "$(hca_counter tx_cqes)" = "$(hca_counter tx_wrs)" ]; }
wait_until 5 all_complete || fail "completions and requests differ" || exit 1

echo down >/sys/kernel/debug/softib/softib0/port1/link
flood
$ip link set ib0 down
wait_until 5 both_balanced || both_balanced || exit 1
