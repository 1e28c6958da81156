# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=ash disable=SC1091,SC2154,SC2086,SC2015
# shows: vendor class datagrams cross the fabric: ibping answers, by a cable and over a switch
# driver: none

answers() { ibping -C softib0 -c 1 $lid | grep -q ' 1 received'; }

for topology in switch=0 switch=1; do
	fabric_up $topology || exit 1
	ibping -S -C softib1 >/dev/null 2>&1 &
	server=$!
	lid=$(($(cat /sys/class/infiniband/softib1/ports/1/lid)))
	wait_until 5 answers || fail "$topology: ibping has no answer" || exit 1
	ibping -C softib0 -c 3 $lid >/tmp/answer 2>&1
	kill $server
	grep -q '3 packets transmitted, 3 received' /tmp/answer || {
		cat /tmp/answer
		fail "$topology: ibping has no answers" || exit 1
	}
	fabric_down || exit 1
done
