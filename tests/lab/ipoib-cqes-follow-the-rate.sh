# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: CQEs per packet are 1/rate within 2 % under load at every rate up to the cap, and 1.00 at rate 1
# timeout: 240
. tests/lab/ipoib.inc

packets=20000
sender_only on || die "no sender-only mode"
for rate in 1 2 3 4 7 8 16 31 32; do
	set_rate $rate
	wrs=$(hca_counter tx_wrs) cqes=$(hca_counter tx_cqes)
	send $packets
	wrs=$(($(hca_counter tx_wrs) - wrs)) cqes=$(($(hca_counter tx_cqes) - cqes))
	echo "rate $rate: $wrs WRs, $cqes CQEs"
	[ $wrs -ge $packets ] || die "rate $rate: only $wrs of $packets packets reached the HCA"
	within "$(awk "BEGIN { print $cqes / $wrs }")" "$(awk "BEGIN { print 1 / $rate }")" 2 ||
		die "rate $rate: $cqes CQEs for $wrs WRs"
	[ $rate != 1 ] || [ $cqes = $wrs ] || die "rate 1: $cqes CQEs for $wrs WRs"
	wait_until 2 nothing_outstanding || die "rate $rate: sends stay outstanding"
done
