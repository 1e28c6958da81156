# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash
# Socket buffers that a test leaves allocated, and connections it leaves tracked. Sourced by the runner of the lab tests.

# skbs: socket buffers in use. Shrinking their cache gives back the free ones that a CPU holds and that count as used.
skbs() {
	local used
	echo 1 >/sys/kernel/slab/skbuff_head_cache/shrink
	read -r used _ </sys/kernel/slab/skbuff_head_cache/objects
	echo "$used"
}

# What NAPI keeps for reuse on each CPU, at most (NAPI_SKB_CACHE_SIZE), is no leak.
skbs_kept() { echo $((64 * $(nproc))); }

tracked() { cat /proc/sys/net/netfilter/nf_conntrack_count 2>/dev/null || echo 0; }

leaks_baseline() { skbs_before=$(skbs) tracked_before=$(tracked); }

no_leaks() { [ "$(skbs)" -le $((skbs_before + $(skbs_kept))) ] && [ "$(tracked)" -le "$tracked_before" ]; }

# leaks_check: all is as leaks_baseline found it, within 5 s (grace periods, timers); else a line says what is not.
leaks_check() {
	wait_until 5 no_leaks && return 0
	fail "leaked: $(skbs) socket buffers in use, $skbs_before before; $(tracked) connections tracked, $tracked_before before"
}
