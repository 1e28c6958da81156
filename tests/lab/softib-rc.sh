# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash
# shows: softib's connections and shared receive queues follow IBA: order, waits, retries, errors and flushes, states, limits, partitions
# engines: poster thread
# driver: fabric
. tests/lab/lib/verbs_check.sh
verbs_check rc 21 || exit 1
wait_until 5 grep -q 'num:257 ' /var/log/opensm.log || fail "OpenSM hears nothing of the other partition"
