#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Mutation check of the IPoIB series: takes one safeguard at a time out of it and shows which test fails without it.
#
# usage: tests/mutation.sh [--lab]
# The unit tests catch what is in the pure files. With --lab the driver itself is built with each mutation and must fail a lab
# test (a build and a boot each). The order of tail publication has no lab test: two CPUs would have to meet within a few
# instructions, so its unit test looks at the order itself. A mutation that no test notices is an error: exit 1, else 0.
set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
ipoib=drivers/infiniband/ulp/ipoib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# mutate FILE SED-SCRIPT: edits a file, and fails if that changed nothing.
mutate() {
	cp "$1" "$work/before"
	sed -i "$2" "$1"
	! cmp -s "$1" "$work/before" || { echo "mutation: '$2' does not match $1" >&2; exit 1; }
}

verdict() { # NAME TEST NOTICED
	if [ "$3" = yes ]; then
		echo "noticed: $1 (by $2)"
	else
		echo "MISSED:  $1 ($2 passes)"
		status=1
	fi
}

# unit NAME TEST_FILE FILE SED-SCRIPT CASE: the unit test's CASE must fail with the mutation.
unit() {
	local gen=$work/gen noticed=no
	rm -rf "$gen"
	mkdir "$gen"
	for file in ipoib_tx_signal.h ipoib_tx_ring.c; do
		"$top/ipoib-patch/apply.sh" --print "$ipoib/$file" --version 6.1 >"$gen/$file"
	done
	mutate "$gen/$3" "$4"
	${CC:-gcc} -std=gnu11 -O1 -w -D_GNU_SOURCE -I"$top/tests/unit/shim" -I"$gen" \
		-o "$work/test" "$top/tests/unit/$2.c" -lcmocka
	timeout 120 "$work/test" >"$work/log" 2>&1 || true
	! grep -q "FAILED.*$5" "$work/log" || noticed=yes
	verdict "$1" "$2: $5" $noticed
}

unit 'signal the send that stops the queue' test_ipoib_tx_signal ipoib_tx_signal.h \
	's/s->force || stopped || pinned/s->force || pinned/' test_send_that_stops_the_queue_is_signaled
unit 'flush timer' test_ipoib_tx_signal ipoib_tx_signal.h \
	's/s->seen ? IPOIB_TX_FLUSH_SEND/s->seen ? IPOIB_TX_FLUSH_WAIT/' test_any_sequence_keeps_the_invariants
unit 'cumulative retirement' test_ipoib_tx_signal ipoib_tx_signal.h \
	's/return n <= head - tail ? n : 0/return n <= head - tail ? 1 : 0/' test_completion_retires_all_before_it
unit 'tail is published last' test_ipoib_tx_ring ipoib_tx_ring.c \
	'/^	smp_store_release/d; s/^	for (; tail != end/	smp_store_release(\&priv->tx_tail, end);\n&/' \
	test_tail_is_published_after_the_last_free
[ "${1:-}" = --lab ] || exit $status

# lab NAME FILE SED-SCRIPT TEST: the lab test must fail with the driver of a clone whose series ends with the mutation.
lab() {
	local kernel tree=$work/tree clone=$work/clone noticed=no
	kernel=$("$top/lab/guest/kernel.sh" 6.1)
	rm -rf "$tree" "$clone"
	git clone -q --shared "$top" "$clone"
	mkdir -p "$clone/build"
	cp "$top/build"/{ubench,lab-agent,lab-fail-nth} "$clone/build/"
	mkdir "$tree"
	cp -r "$kernel/source/." "$tree/a"
	"$top/ipoib-patch/apply.sh" --version "$(sed 's/-.*//' "$kernel/version")" "$tree/a" >/dev/null
	cp -r "$tree/a" "$tree/b"
	mutate "$tree/b/$ipoib/$2" "$3"
	(cd "$tree" && diff -u "a/$ipoib/$2" "b/$ipoib/$2") >"$clone/ipoib-patch/linux-6.1/0099-mutation.patch" || true
	"$clone/tests/run-lab" 6.1 "$4" >"$work/log" 2>&1 || true
	! grep -q "^txsig-test: $4 [1-9]" "$work/log" || noticed=yes
	grep -q "^txsig-test: $4 " "$work/log" || { echo "mutation: no result of $4: $(tail -n1 "$work/log")" >&2; exit 1; }
	verdict "$1" "lab/$4: $(sed -n "s/^txsig-test: $4 [0-9]* [0-9]* *//p" "$work/log")" $noticed
}

lab 'signal the send that stops the queue (driver)' ipoib_tx_signal.h \
	's/s->force || stopped || pinned/s->force || pinned/' ipoib-ring-full-never-stalls
lab 'flush timer (driver)' ipoib_ib.c 's/^			ipoib_tx_flush_arm(priv);/			;/' ipoib-idle-holds-nothing
lab 'marker at stop' ipoib_tx_signal.c \
	'/^void ipoib_tx_flush_marker/,/^}/s/^		ipoib_tx_flush_post(priv);/		return netif_tx_unlock_bh(priv->dev);/' \
	ipoib-link-down-is-fast
lab 'cumulative retirement (driver)' ipoib_tx_signal.h \
	's/return n <= head - tail ? n : 0/return n <= head - tail ? 1 : 0/' ipoib-ring-full-never-stalls
exit $status
