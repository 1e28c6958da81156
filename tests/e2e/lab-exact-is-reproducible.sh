#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows: two exact sweeps of one seed store the same result to the last byte, though their images are packed anew and the
# host is busy with both at once.
set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done; rm -rf "$work"' EXIT

for run in a b; do
	# Files copied at another time must not make another boot.
	[ $run = a ] || until [ "$(date +%s)" != "$(stat -c %Y "$work/a.log")" ]; do sleep 0.1; done
	"$top/lab/lab" sweep --exact --seeds 1 --packets 3000 --rates unpatched,32 --output "$work/$run" >"$work/$run.log" 2>&1 &
	pids+=($!)
done
for pid in "${pids[@]}"; do
	wait "$pid" || { cat "$work"/*.log; exit 1; }
done
pids=()
for file in run.json summary.csv; do
	cmp "$work/a/$file" "$work/b/$file" || { diff "$work/a/$file" "$work/b/$file" | head -n 20; exit 1; }
done
