# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash
# shows: softib's kernel verbs follow IBA: signaling, strict slots, flushes, arming, events in hard interrupts, drops
# engines: poster thread
# driver: fabric
. tests/lab/lib/verbs_check.sh
verbs_check ud 22
