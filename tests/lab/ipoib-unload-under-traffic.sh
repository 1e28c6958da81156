# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# lab: qemu uml
# shows: the module unloads with packets unreclaimed and while packets are being sent, and loads again
# engines: poster thread
# timeout: 180
. tests/lab/ipoib.inc

for round in 1 2 3; do
	set_rate 32 1000000
	if [ $round = 1 ]; then
		send 40
	else
		"$ubench" UDP_STREAM -P 0 -N -H $PEER_ADDR -l 20 -- -m 100 -p 9 >/dev/null 2>&1 &
		flow=$!
		usleep 300000
	fi
	ms=$(took driver_unload)
	echo "round $round: unloaded after $ms ms"
	[ "$ms" -lt 5000 ] || die "unloading took $ms ms"
	[ -z "$flow" ] || { kill $flow; wait $flow; flow=; } 2>/dev/null
	driver_load patched || die "the driver does not come back"
done
