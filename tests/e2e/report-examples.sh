#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shows: the committed example runs pass the check and regenerate their summary and report without a difference
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for run in results/examples/*/; do
	build/ubench report --check "$run"
	build/ubench report --csv "$run" | diff - "$run/summary.csv"
	build/ubench report --html "$work/report.html" "$run"
	cmp "$work/report.html" "$run/report.html"
done
