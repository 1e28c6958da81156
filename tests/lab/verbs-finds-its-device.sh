# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2086
# shows: VERBS_UD finds device, port, GID, MTU, NUMA node and way to post by itself, by rdma_cm and by its own exchange, or takes them in perftest's letters
# driver: none
# timeout: 60
. /txsig/lab/guest/rxe.sh
trap rxe_down EXIT

# found KEY: a value of the sender's device in the document
found() { jq -r ".end.verbs.device.$1" /tmp/verbs.json; }
is() { expect "$1 is $2" "$(found "$1")" = "$2"; }
# same WAY: what the run of either way found
same() {
	account_holds && is device rxe_ra && is port 1 && is gid ::ffff:$RXE_A && is link_layer Ethernet &&
		is path_mtu_bytes 1024 && expect "the way is $1" "$(jq -r .end.verbs.knobs.way /tmp/verbs.json)" = "$1"
}

rxe_pair_up && server_start $RXE_B || exit 1
verbs -H $RXE_B --json -l -300 -- --source $RXE_A && same rdma_cm || exit 1
# Whatever else has the address of the control connection: the device is the one with this GID.
verbs -H $RXE_B --json -l -300 -- --source $RXE_A --peer-device rxe_rb && same device || exit 1
gid=$(found gid_index)
verbs -H $RXE_B --json -- -d rxe_ra -i 1 -x "$gid" --peer-device rxe_rb -s 64 -D 0.3 -q 2 -Q 4 -l 2 -t 32 -r 2048 --numa-node 0 &&
	same device || exit 1
expect "-x is taken" "$(found gid_index)" = "$gid" || exit 1
for knob in signal_rate:4 post_list:2 send_depth:32 recv_depth:2048 queue_pairs:2 numa_node:0; do
	expect "$knob" "$(first_figure "${knob%:*}" /tmp/verbs.json)" = "${knob#*:}" || exit 1
done
expect "0.3 s is a limit of time" "$(figure work_requests /tmp/verbs.json)" -gt 2 || exit 1

# rxe's provider has ibv_wr_*(): auto takes it, either can be asked for.
for api in auto:ibv_wr wr:ibv_wr post_send:ibv_post_send; do
	verbs -H $RXE_B --json -- -d rxe_ra --peer-device rxe_rb -n 300 --post-api "${api%:*}" && account_holds || exit 1
	grep -q "\"post_api\": \"${api#*:}\"" /tmp/verbs.json || fail "--post-api ${api%:*} gives another" || exit 1
done
verbs -H $RXE_B --json -- -d rxe_ra --peer-device rxe_rb -n 300 --numa-node 9
expect "no node 9" $? -eq 1 && grep -q 'no NUMA node 9' /tmp/verbs.err || exit 1
