#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# shows: the HTML report is one file without anything from elsewhere, the same bytes from the same runs, and reads well in a browser
set -euo pipefail
# shellcheck source=tests/e2e/lib/sweep.sh
. tests/e2e/lib/sweep.sh

command -v chromium >/dev/null || { echo "chromium is not installed"; exit 4; }
start_server
sweep --iface ib0 --rates 1,4,32 --repeat 3 --output "$work/run" --note "tricky=<script>&\"'" -- \
	UDP_STREAM -H 127.0.0.1 -p "$port" -l 0.2 -D -0.05 -- -m 100
[ $status = 0 ] || fail "exit $status"
page=$work/report.html
"$ubench" report --html "$page" "$work/run" --compare results/reference/ipoib-tx-signal-2006 || fail "no report"
"$ubench" report --html "$work/again.html" "$work/run" --compare results/reference/ipoib-tx-signal-2006
cmp "$page" "$work/again.html" || fail "two reports of the same runs differ"
if sed 's|http://www.w3.org/[0-9a-zA-Z/]*||g' "$page" | grep -nE 'https?:|src=|@import|url\(|<script|<link|NaN|nan '; then fail "not self-contained, or NaN"; fi
for figure in 'Packets per second' 'relative to the baseline' 'Lost packets' 'Interim results'; do
	grep -q "<svg role=\"img\" aria-label=\"[^\"]*$figure" "$page" || fail "no figure: $figure"
done
[ "$(grep -o " id=['\"][^'\"]*['\"]" "$page" | sort | uniq -d | wc -l)" = 0 ] || fail "an id is there twice"

# A copy that measures itself in the browser and writes what it finds into its body.
cat >"$work/probe.js" <<'JS'
const rgb = c => c.match(/[\d.]+/g).slice(0, 3).map(Number);
const lum = c => rgb(c).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
	.reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
const contrast = (a, b) => (Math.max(lum(a), lum(b)) + 0.05) / (Math.min(lum(a), lum(b)) + 0.05);
const paper = getComputedStyle(document.body).backgroundColor;
const text = [...document.querySelectorAll('svg text, td, th, p, figcaption, caption, small')];
const worst = Math.min(...text.map(e => contrast(e.closest('svg') ? getComputedStyle(e).fill : getComputedStyle(e).color, paper)));
const svgs = [...document.querySelectorAll('svg')].map(e => e.getBoundingClientRect());
const cut = [...document.querySelectorAll(".scroll")].filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.querySelector("caption").textContent.slice(0, 40)).join(";");
const unnamed = [...document.querySelectorAll('svg')].filter(e => e.getAttribute('role') != 'img' || !e.getAttribute('aria-label')).length +
	[...document.querySelectorAll('table')].filter(e => !e.caption || !e.caption.textContent).length +
	[...document.querySelectorAll('th')].filter(e => !e.scope || !e.textContent).length + (document.documentElement.lang != 'en');
document.title = ['PROBE', 'cut=' + cut, 'unnamed=' + unnamed, 'paper=' + rgb(paper).join(','), 'contrast=' + worst.toFixed(1),
	'overflow=' + (document.documentElement.scrollWidth > innerWidth), 'svgs=' + svgs.length,
	'small=' + svgs.filter(b => b.width < 250 || b.height < 100).length,
	'headings=' + document.querySelectorAll('h1').length].join(' ');
JS
with_probe() { sed "s|</body>|<script>$(tr '\n' ' ' <"$work/probe.js" | sed 's/[&|\\]/\\&/g')</script></body>|" "$1"; }
with_probe "$page" >"$work/probe.html"
# A run with every column of the first table.
"$ubench" report --html "$work/full.html" results/examples/lab-exact-6.1
with_probe "$work/full.html" >"$work/wide.html"

# On paper: the rules of print hold, and win over the dark ones; what is folded away needs no ink.
sed 's/@media print/@media all/' "$work/probe.html" >"$work/paper.html"

# probe WIDTH [OPTIONS...]: the line the page writes about itself
probe() {
	local width=$1
	shift
	timeout 120 chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$work/browser" \
		--window-size="$width,900" "$@" --dump-dom "file://$work/${copy:-probe}.html" 2>/dev/null |
		sed -n 's/.*<title>\(PROBE [^<]*\).*/\1/p'
}
light=$(probe 1100)
dark=$(probe 1100 --blink-settings=preferredColorScheme=0)
echo "light: $light"
echo "dark:  $dark"
wide=$(copy=wide probe 1100)
echo "1100 px: $wide"
# The list of every repeat, with all its columns, may have to be scrolled.
grep -qE 'cut=(Every repeat in the order it ran)? unnamed' <<<"$wide" || fail "a table is cut on a wide window"
narrow=$(probe 500)
echo "500 px: $narrow"
paper=$(copy=paper probe 794 --blink-settings=preferredColorScheme=0) # the width of A4
echo "paper: $paper"
grep -q 'cut= .*paper=255,255,255 ' <<<"$paper" || fail "paper is dark, or tables are cut"
grep -q 'paper=255,255,255 ' <<<"$light" || fail "light paper"
grep -q 'paper=21,24,28 ' <<<"$dark" || fail "dark paper"
for line in "$light" "$dark" "$wide" "$narrow" "$paper"; do
	grep -q 'unnamed=0 .*overflow=false svgs=[4-9] small=0 headings=1' <<<"$line" || fail "layout, or what a screen reader cannot name"
	[[ $line =~ contrast=([0-9]+)\.([0-9]) ]] || fail "no contrast"
	[ "${BASH_REMATCH[1]}${BASH_REMATCH[2]}" -ge 45 ] || fail "contrast of text below 4.5"
done
timeout 120 chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$work/browser" --hide-scrollbars \
	--window-size=1100,3600 --screenshot="$work/shot.png" "file://$page" >/dev/null 2>&1 || fail "no screenshot"
[ "$(stat -c %s "$work/shot.png")" -gt 50000 ] || fail "the screenshot is empty"
