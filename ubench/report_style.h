/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The style sheet of HTML reports: light, dark, paper; no fonts or files from elsewhere. */
#ifndef UBENCH_REPORT_STYLE_H
#define UBENCH_REPORT_STYLE_H

static const char report_style[] =
	":root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#5b6570;--line:#d4d9de;--card:#f5f7f9}\n"
	"@media(prefers-color-scheme:dark){:root{--ink:#e6e9ec;--paper:#15181c;--soft:#a0a9b2;--line:#39414a;"
	"--card:#1d2126}}\n"
	"body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}\n"
	"main{max-width:76rem;margin:0 auto;padding:1.5rem}p,figure,pre{max-width:60rem}\n"
	"h1{font-size:1.6rem;line-height:1.2;margin:.2rem 0 1rem}\nh2{font-size:1.25rem;margin:2.2rem 0 .6rem}\n"
	".answer{background:var(--card);border-left:.3rem solid #2f81d6;padding:.7rem 1rem}\n"
	".scroll{overflow-x:auto}\n"
	"table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.6rem 0}\n"
	"caption{text-align:left;color:var(--soft);font-size:.9rem;padding-bottom:.3rem}\n"
	"th,td{padding:.25rem .45rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}\n"
	"thead th{white-space:normal;vertical-align:bottom}\n"
	"th:first-child,td:last-child.word{text-align:left}\n"
	"figure{margin:1.2rem 0}\nfigcaption{color:var(--soft);font-size:.9rem}\n"
	"svg{width:100%;height:auto;color:var(--ink)}\n"
	"svg [color=black]{color:var(--ink)}svg [fill=black]{fill:var(--ink)}svg [stroke=black]{stroke:var(--ink)}\n"
	"svg [color=white]{color:var(--paper)}\n"
	"svg [color=gray]{color:var(--soft)}svg [stroke=gray]{stroke:var(--soft)}\n"
	"pre{overflow-x:auto;background:var(--card);padding:.8rem;font-size:.85rem}\n"
	"summary{cursor:pointer}\nsmall{color:var(--soft)}\n"
	"@media print{:root{--ink:#000;--paper:#fff;--soft:#444;--line:#bbb;--card:#fff}main{max-width:none;padding:0}"
	"figure,table{break-inside:avoid}details{display:none}body{font-size:11pt}"
	".scroll{overflow:visible}table{font-size:7.5pt}th,td{padding:.15rem .2rem;white-space:normal}}\n";

#endif
