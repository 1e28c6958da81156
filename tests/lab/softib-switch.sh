# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# shows: OpenSM discovers a switch by directed route and programs it; packets go as it says, and its counters tell
# driver: none
# timeout: 120

# answers PATTERN COMMAND...: the command succeeds and prints the pattern.
answers() {
	local pattern=$1
	shift
	"$@" >/tmp/answer 2>&1 && grep -q "$pattern" /tmp/answer && return
	cat /tmp/answer
	fail "'$*' does not say '$pattern'"
}

fabric_up hcas=4 && driver_load stock || exit 1
answers 'Switch.*4 .*softib-switch0' ibnetdiscover || exit 1
[ "$(grep -c '^Ca' /tmp/answer)" = 4 ] || fail "not four HCAs" || exit 1
switch=$(sed -n 's/^Switch.*base port 0 lid \([0-9]*\) .*/\1/p' /tmp/answer)
[ "$(iblinkinfo | grep -c 'Active/ *LinkUp')" -ge 4 ] || fail "the links are not all active" || exit 1

# By LID, by directed route, and by both: to the switch and over it.
peer=$(($(cat /sys/class/infiniband/softib1/ports/1/lid)))
answers 'NodeType:.*Switch' smpquery nodeinfo $switch || exit 1
answers 'NodeType:.*Switch' smpquery -D nodeinfo 0,1 || exit 1
answers softib2 smpquery -D nodedesc 0,1,3 || exit 1
answers softib1 smpquery -c nodedesc $switch 0,2 || exit 1
answers 'LinkState:.*Active' smpquery portinfo $switch 4 || exit 1
answers 'LinearFdbTop' smpquery switchinfo $switch || exit 1
answers 'SL2VL' smpquery sl2vl $switch 1 || exit 1
answers 'NodeDescription.*softib-switch0' saquery || exit 1
answers SMINFO_MASTER sminfo || exit 1

# What OpenSM wrote is what the packets do.
route=$(ibroute $switch | sed -n "s/^0x$(printf %04x $peer) *\([0-9]*\) .*/\1/p")
[ "$((route))" = 2 ] || fail "the switch's table leads to port '$route', not 2" || exit 1
packets() { perfquery -x $switch $1 | sed -n 's/^PortXmitPkts:\.*//p'; }
to_peer=$(packets 2) to_other=$(packets 3)
ping -c 5 -i 0.2 $PEER_ADDR >/dev/null || fail "no answer to ping" || exit 1
[ $(($(packets 2) - to_peer)) -ge 5 ] || fail "the switch's port 2 sent too little" || exit 1
[ $(($(packets 3) - to_other)) -lt 5 ] || fail "unicast went out of the wrong port" || exit 1
answers PortXmitPkts perfquery $switch || exit 1
answers PortXmitPkts perfquery $peer || exit 1
perfquery -R -a $switch >/dev/null || fail "perfquery cannot reset" || exit 1
