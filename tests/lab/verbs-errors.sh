# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091
# shows: what can go wrong with VERBS_UD ends it with one line that names the cause and what to do.
# driver: none
# timeout: 120
. /txsig/lab/guest/rxe.sh
trap rxe_down EXIT

# fails STATUS TEXT COMMAND...: one line on stderr with TEXT, exit code STATUS
fails() {
	local want=$1 text=$2 status=0
	shift 2
	"$@" >/tmp/verbs.json 2>/tmp/verbs.err || status=$?
	expect "$* exits with $want" $status -eq "$want" || return 1
	expect "$* says one line" "$(wc -l </tmp/verbs.err)" -eq 1 || return 1
	grep -q "$text" /tmp/verbs.err || fail "$*: no '$text' in: $(cat /tmp/verbs.err)" || return 1
	cat /tmp/verbs.err
}
run() { $UBENCH VERBS_UD -H $RXE_B "$@"; }

modprobe -a ib_uverbs rdma_ucm veth || exit 1
$ip addr add $RXE_B/32 dev lo && server_start $RXE_B || exit 1
fails 4 'no RDMA device here' run -- -d rxe_ra || exit 1
servers_stop
$ip addr del $RXE_B/32 dev lo

rxe_pair_up && server_start $RXE_B || exit 1
by_device="-d rxe_ra --peer-device rxe_rb -n 1000"
# shellcheck disable=SC2086 # words
{
	fails 2 'no such option' run -- -k || exit 1
	fails 2 'bad value' run -- -Q 0 || exit 1
	fails 1 'cannot open RDMA device nodev' run -- -d nodev --peer-device rxe_rb || exit 1
	fails 1 'has no port 7' run -- -d rxe_ra -i 7 --peer-device rxe_rb || exit 1
	fails 1 'no GID of index 200' run -- -d rxe_ra -x 200 --peer-device rxe_rb || exit 1
	fails 1 'exceeds the path MTU .* -s 1024' run -- $by_device -s 1025 || exit 1
	fails 1 'no RDMA device has the address 10.9.9.9' run -- --peer-address 10.9.9.9 || exit 1
	fails 4 'moderation' run -- $by_device --moderate 16:10 || exit 1
	fails 1 'completion queue entries' run -- $by_device -q 256 -t 32768 || exit 1
	fails 1 'work request 500 of flow 0 .* IBV_WC_' run -- $by_device --fault-wr 500 || exit 1
}
# A queue of few entries overruns by the completions of one list of signaled requests; nothing waits for those lost.
start=$(cut -d. -f1 /proc/uptime)
fails 1 'IBV_EVENT_CQ_ERR on rxe_ra; the completion queue overran' run -- -d rxe_ra --peer-device rxe_rb -n 1000 -l 64 -r 2048 --fault-cq 2 || exit 1
expect "an overrun ends the run at once" $(($(cut -d. -f1 /proc/uptime) - start)) -lt 8 || exit 1
# Without the right to lock more memory than the limit.
fails 1 'limit of locked memory is 64 kB' \
	/usr/bin/setpriv --reuid 65534 --clear-groups sh -c "ulimit -l 64; $UBENCH VERBS_UD -H $RXE_B -- $by_device -t 4096" || exit 1

$ip link set rb down
fails 1 'port 1 of rxe_ra is down; set its network interface up' run -- -d rxe_ra --peer-device rxe_ra || exit 1
