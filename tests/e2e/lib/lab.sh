# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# For tests of the lab command: a clone of this tree, with what is built in it, in a directory of the test's own, and a cache
# of its own that has what is needed for kernel 6.1. Sourced by the lab-* tests; run from the top of the tree.

# shellcheck source=tests/e2e/lib/poll.sh
. "$(dirname "${BASH_SOURCE[0]}")/poll.sh"
top=$PWD
# Short: a guest's sockets are in it.
work=$(mktemp -d)
chmod 755 "$work"
clone=$work/clone cache=$work/cache
# shellcheck source=lab/guest/common.sh
. "$top/lab/guest/common.sh"
export TXSIG_ACCEL=tcg

fail() {
	echo "FAIL: $*"
	exit 1
}

# kill_all PATTERN: nobody's commands that match; one of a moment may be gone by then.
kill_all() { pkill -KILL -u 65534 -f "$1" || fail "no process to kill: $1"; }

# The process ids of this test's guests: their command line names its directory.
guests() { pgrep -f "^qemu-system.*$work"; }
no_guests() { ! guests >/dev/null; }

cleanup() {
	local status=$? pid
	for pid in $(guests); do kill -KILL "$pid"; done
	rm -rf "$work"
	return $status
}
trap cleanup EXIT

# link FROM TO: a copy that takes no room where that can be.
link() { cp -rl "$1" "$2" 2>/dev/null || cp -r "$1" "$2"; }

make_clone() {
	local kernel part
	mkdir -p "$clone/build/lab" "$cache"
	kernel=$("$top/lab/guest/kernel.sh" 6.1)
	"$top/lab/build.sh" "$kernel"
	for part in lab ipoib-patch sysfs-scripts results README.md; do cp -r "$part" "$clone/"; done
	for part in ubench lab-agent lab-call lab-fail-nth "lab/$(cat "$kernel/release")"; do cp -r "build/$part" "$clone/build/$part"; done
	mkdir "$cache/$(basename "$kernel")"
	for part in vmlinuz lib release version source complete; do link "$kernel/$part" "$cache/$(basename "$kernel")/$part"; done
	link "$CACHE/modules" "$cache/modules"
	cp "$CACHE/answer-6.1" "$cache/"
	TXSIG_CACHE=$cache "$clone/lab/guest/image.sh" "$cache/$(basename "$kernel")" >/dev/null
}

# The clone belongs to nobody, the cache does not.
clone_of_nobody() {
	make_clone
	mkdir "$work/tmp"
	chown -R 65534:65534 "$clone" "$work/tmp"
}

# nobody COMMAND...: in the clone, without any privilege.
nobody() {
	(cd "$clone" && setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all env -i PATH="$PATH" HOME="$clone" \
		TMPDIR="$work/tmp" TXSIG_CACHE="$cache" TXSIG_ACCEL=tcg "$@")
}

nothing_left() {
	poll 10 no_guests || fail "a guest is left"
	[ -z "$(ls "$clone/build/lab/up" 2>/dev/null | grep -v '\.lock$')" ] || fail "left in build/lab/up: $(ls "$clone/build/lab/up")"
	[ -z "$(ls "$work/tmp")" ] || fail "left in the temporary directory: $(ls "$work/tmp")"
}
