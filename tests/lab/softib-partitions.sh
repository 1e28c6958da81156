# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# shows: the P_Key tables OpenSM writes are enforced where packets arrive, counted there, and reported
# driver: none
# timeout: 120
conf=/tmp/partitions.conf
softib0=0x02736f6674690001 softib1=0x02736f6674690101

pkeys() { cat /sys/class/infiniband/$1/ports/1/pkeys/* | sort -u; }
has_pkey() { pkeys $1 | grep -q $2; }
answers() { ping -c 1 -W 1 $1 >/dev/null; }
violations() { smpquery portinfo "$(($(cat /sys/class/infiniband/softib1/ports/1/lid)))" 1 | sed -n 's/^PkeyViolations:\.*//p'; }

# member PKEY ADDRESS PEER_ADDRESS: an interface in the partition at both ends.
member() {
	$ip link add link ib0 name p$1 type ipoib pkey $1 && $ip addr add $2/24 dev p$1 && $ip link set p$1 up &&
		$ip -n peer link add link ib1 name p$1 type ipoib pkey $1 && $ip -n peer addr add $3/24 dev p$1 &&
		$ip -n peer link set p$1 up
}

# Blue is for softib0 and softib1; in green both are limited members, who cannot talk to each other.
cat >$conf <<EOF
Default=0x7fff, ipoib: ALL=full, SELF=full;
blue=0x10, ipoib: $softib0=full, $softib1=full;
green=0x20, ipoib: $softib0=limited, $softib1=limited;
EOF
OPENSM_OPTIONS="-P $conf" fabric_up hcas=3 && driver_load stock || exit 1
wait_until 20 has_pkey softib1 0x8010 || fail "softib1 has no P_Key 0x8010" || exit 1
has_pkey softib0 0x0020 || fail "softib0 is no limited member of 0x20" || exit 1
! has_pkey softib2 0x8010 || fail "softib2 is a member it is not to be" || exit 1

member 0x8010 10.0.10.1 10.0.10.2 || fail "no interfaces in blue" || exit 1
wait_until 20 answers 10.0.10.2 || fail "members of blue cannot talk" || exit 1

before=$(hca_counter drop_pkey) seen=$(violations)
member 0x8020 10.0.20.1 10.0.20.2 || fail "no interfaces in green" || exit 1
dropped() {
	answers 10.0.20.2 && return 1
	[ $(($(hca_counter drop_pkey) - before)) -ge 1 ]
}
wait_until 20 dropped || fail "nothing is dropped between limited members" || exit 1
[ $(($(violations) - seen)) -ge 1 ] || fail "the port counts no violation" || exit 1
reported() { grep -q 'num:257' /var/log/opensm.log; }
wait_until 5 reported || fail "no trap 257" || exit 1

# A full member can talk to a limited one.
sed -i "s/$softib0=limited/$softib0=full/" $conf
killall -HUP opensm
wait_until 20 has_pkey softib0 0x8020 || fail "softib0 does not become a full member" || exit 1
wait_until 30 answers 10.0.20.2 || fail "full and limited member cannot talk" || exit 1
