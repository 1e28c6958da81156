# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# lab: qemu uml
# shows: a child made by netlink or sysfs starts with its parent's values and keeps its own, and goes with packets unreclaimed
. tests/lab/ipoib.inc

child=/sys/class/net/ibchild
set_rate 8 30000
$ip link add link ib0 name ibchild type ipoib pkey 0xffff || die "no child interface"
[ "$(cat $child/tx_signal_rate) $(cat $child/tx_signal_usecs)" = "8 30000" ] ||
	die "the child has $(cat $child/tx_signal_rate) $(cat $child/tx_signal_usecs), its parent 8 30000"
set_rate 16 20000
[ "$(cat $child/tx_signal_rate)" = 8 ] || die "the child follows a later change of its parent"
echo 2 >$child/tx_signal_rate || die "the child refuses rate 2"
[ "$(cat "$knobs/tx_signal_rate")" = 16 ] || die "the parent follows a change of its child"
$ip addr add 10.0.1.1/24 dev ibchild && $ip link set ibchild up || die "the child does not come up"
ping -c 3 -i 0.2 -W 1 10.0.1.9 >/dev/null 2>&1
ms=$(took "$ip" link del ibchild) || exit 1
[ "$ms" -lt 3000 ] || die "deleting the child took $ms ms"

# By sysfs, which makes a child only of another P_Key than its parent's.
child=/sys/class/net/ib0.8001
gone() { [ ! -e $child ]; }
set_rate 5 7000
echo 0x8001 >"$knobs"/create_child || die "create_child is refused"
[ "$(cat $child/tx_signal_rate) $(cat $child/tx_signal_usecs)" = "5 7000" ] ||
	die "the child of sysfs has $(cat $child/tx_signal_rate) $(cat $child/tx_signal_usecs), its parent 5 7000"
echo 3 >$child/tx_signal_rate || die "the child of sysfs refuses rate 3"
echo 0x8001 >"$knobs"/delete_child || die "delete_child is refused"
wait_until 5 gone || die "the child of sysfs stays"
