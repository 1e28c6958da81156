# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: packets copied, not copied and of every length arrive intact, with the counters right, at rates 1 and 32
# timeout: 120
. tests/lab/ipoib.inc

ethtool --get-tunable ib0 tx-copybreak | grep -q 256 || die "tx-copybreak is not 256 by default"
ethtool --set-tunable ib0 tx-copybreak 257 2>/dev/null && die "tx-copybreak takes 257"
for rate in 1 32; do
	set_rate $rate
	for copybreak in 0 100 256; do
		ethtool --set-tunable ib0 tx-copybreak $copybreak || die "tx-copybreak $copybreak was refused"
		packets=$(stat tx_packets) errors=$(stat tx_errors)
		# The replies repeat the pattern, so that a byte gone wrong is a lost ping; 228 is 256 with the headers.
		for size in 56 71 72 73 227 228 229 1400; do
			ping -c 5 -i 0.01 -W 2 -s $size -p a5 $PEER_ADDR | grep -q ' 0% packet loss' ||
				die "rate $rate, copybreak $copybreak: pings of $size bytes are lost"
		done
		wait_until 2 nothing_outstanding || die "sends stay outstanding"
		[ $(($(stat tx_packets) - packets)) -ge 40 ] || die "only $(($(stat tx_packets) - packets)) packets counted"
		[ "$(stat tx_errors)" = "$errors" ] || die "TX errors"
	done
done
