# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# lab: qemu uml
# shows: OpenSM and infiniband-diags find what they look for: nodes, ports, links, records, counters, the subnet manager
# driver: stock

# answers PATTERN COMMAND...: the command succeeds and prints the pattern.
answers() {
	local pattern=$1
	shift
	"$@" >/tmp/answer 2>&1 && grep -q "$pattern" /tmp/answer && return
	cat /tmp/answer
	fail "'$*' does not say '$pattern'"
}

lid=$(cat /sys/class/infiniband/softib1/ports/1/lid)
lid=$((lid))
answers 'State: Active' ibstat softib1 || exit 1
answers 'NodeType:.*Channel Adapter' smpquery nodeinfo $lid || exit 1
answers softib1 smpquery nodedesc $lid || exit 1
answers 'LinkState:.*Active' smpquery portinfo $lid 1 || exit 1
answers 0xffff smpquery pkeys $lid || exit 1
answers 0x02736f6674690101 smpquery guidinfo $lid || exit 1
answers 'SL2VL' smpquery sl2vl $lid || exit 1
answers 'High priority' smpquery vlarb $lid 1 || exit 1
answers SMINFO_MASTER sminfo || exit 1
answers softib1 ibnetdiscover || exit 1
answers 'Active/ *LinkUp' iblinkinfo || exit 1
answers 'NodeDescription.*softib1' saquery || exit 1
answers 'ff12:401b:ffff::ffff:ffff' saquery -g || exit 1

packets() { perfquery -x $lid 1 | sed -n 's/^PortXmitPkts:\.*//p'; }
before=$(packets)
ping -c 5 -i 0.2 $PEER_ADDR >/dev/null || fail "no answer to ping" || exit 1
after=$(packets)
[ $((after - before)) -ge 5 ] || fail "PortXmitPkts went from '$before' to '$after' over 5 echoes" || exit 1
perfquery -R $lid 1 >/dev/null || fail "perfquery cannot reset" || exit 1
