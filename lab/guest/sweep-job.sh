# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash
# Guest side of `lab/lab sweep`: fabric, driver, one `ubench sweep` into /out/run, and down again. lab/sweep.sh sets, before
# it sources this,
#   mode            timed: both ends, $seconds and $repeat a point; exact: the sender alone, $packets a point, seed $seed
#   rates message   what to sweep, and the bytes of a message
#   cost_irq_ns cost_cqe_ns cost_doorbell_ns        softib's cost model
#   notes           `--note KEY=VALUE` options for the result
# and gets the sweep's tables in /out/tables, its progress as output, its exit code.
# shellcheck disable=SC2154,SC2086 # set by lab/sweep.sh; $notes is a list
set -o pipefail
cd /txsig || exit 1
# shellcheck source=lab/guest/lib.sh
. lab/guest/lib.sh

# Through a pipe, or the sweep would take the serial port for a terminal and repaint its progress.
ubench_sweep() { build/ubench sweep "$@" 2>&1 >/out/tables | cat; }

# Debian's driver can leave its TX queue stopped for good (tests/lab/ipoib-wake-is-not-lost.sh). The run it happens to fails,
# the sweep loads the driver anew, and goes on with what is missing.
sweep() {
	local status=0 tries=3
	ubench_sweep --iface ib0 --time-limit 180 --rates "$rates" --driver-hook lab/guest/driver-hook --output /out/run \
		$notes "$@" || status=$?
	while [ $status != 0 ] && [ $tries -gt 0 ] && [ -d /out/.run.partial ] && dmesg -c | grep -q 'NETDEV WATCHDOG'; do
		echo "lab: the driver left its TX queue stopped; the sweep goes on without that run"
		tries=$((tries - 1)) status=0
		ubench_sweep --resume /out/.run.partial || status=$?
	done
	return $status
}

timed() {
	driver_load patched || exit 1
	in_peer build/ubench server >/out/server.log 2>&1 &
	server=$!
	sweep --repeat "$repeat" -- UDP_STREAM -H $PEER_ADDR -l "$seconds" -- -m "$message"
	status=$?
	kill $server
}

exact() {
	export TXSIG_SENDER_ONLY=1
	lab/guest/driver-hook patched || exit 1
	sweep --repeat 1 --seed "$seed" -- UDP_STREAM -N -H $PEER_ADDR -l "-$packets" -- -m "$message" -p 9
	status=$?
}

fabric_up cost_irq_ns="$cost_irq_ns" cost_cqe_ns="$cost_cqe_ns" cost_doorbell_ns="$cost_doorbell_ns" || exit 1
$mode
driver_unload && fabric_down && exit $status
