# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The two machines a guest runs on, QEMU and user-mode Linux: their command lines, and what a guest that failed has to say.
# Sourced by what boots guests, after common.sh.

machine_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# How many commands can run in a guest that stays, each over a channel of its own.
CHANNELS=4

# machine_of KERNEL_DIR: qemu or uml
machine_of() { [ -e "$1/linux" ] && echo uml || echo qemu; }

# machine_command KERNEL_DIR INITRD DIR MODE [SEED]: leaves the command line in the array `machine`.
#   MODE  timed  KVM or multi-threaded TCG with 2 CPUs, wall-clock time
#         exact  one CPU under -icount: virtual time, one nanosecond an instruction, the same on every run of a SEED
#         shell  timed, with the job on this terminal
#         stay   timed, and the guest stays when its job is done, taking commands over the sockets call.N of its directory
machine_command() {
	machine=()
	"machine_$(machine_of "$1")" "$@"
}

machine_qemu() {
	local kernel=$1 initrd=$2 dir=$3 mode=$4 seed=${5:-1} number append
	append="console=ttyS0 panic=-1 panic_on_warn=1 oops=panic nokaslr mitigations=off tsc=reliable no_timer_check"
	machine=(qemu-system-x86_64 -nodefaults -display none -no-reboot -m "${TXSIG_MEMORY:-1024}" -kernel "$kernel/vmlinuz"
		-initrd "$initrd" -serial "file:$dir/console.log")
	case $mode in
	exact)
		# Fast string instructions would count a whole copy as one instruction.
		machine+=(-accel tcg -cpu "max,-erms,-fsrm" -smp 1 -icount "shift=0,sleep=off" -seed "$seed"
			-rtc "base=2026-01-01,clock=vm" -serial "file:$dir/job.log")
		;;
	timed)
		machine_qemu_timed "$kernel"
		machine+=(-serial "file:$dir/job.log")
		;;
	shell)
		machine_qemu_timed "$kernel"
		machine+=(-chardev "stdio,id=job,signal=off" -serial "chardev:job")
		append+=" txsig.shell"
		;;
	stay)
		machine_qemu_timed "$kernel"
		machine+=(-serial "file:$dir/job.log" -device virtio-serial-pci)
		for ((number = 0; number < CHANNELS; number++)); do
			# In QEMU's working directory: a socket's path is short.
			machine+=(-chardev "socket,id=call$number,path=call.$number,server=on,wait=off"
				-device "virtserialport,chardev=call$number,name=txsig.$number")
		done
		append+=" txsig.stay=$CHANNELS"
		;;
	*) die "mode '$mode': must be timed, exact, shell or stay" ;;
	esac
	machine+=(-serial "file:$dir/out.tar" -append "$append")
}

machine_qemu_timed() {
	local accel
	accel=$("$machine_dir/accel.sh" "$1") || exit 1
	case $accel in
	kvm) machine+=(-accel kvm -cpu host) ;;
	# QEMU 7.2 computes the flags of cmpxchg16b from stale ones; an interrupt soon after it saves them with bits set that make
	# its return a double fault. Without the feature the kernel does without the instruction. Exact runs keep it: there the
	# interrupts of a seed always come at the same places.
	tcg) machine+=(-accel "tcg,thread=multi" -cpu "max,-cx16") ;;
	esac
	machine+=(-smp "${TXSIG_CPUS:-2}")
}

# User-mode Linux takes the guest's serial ports from DIR itself, and its console is its output. Its clock jumps over idle
# time, so what waits costs nothing and a slow host makes no time-outs.
machine_uml() {
	local kernel=$1 initrd=$2 dir=$3 mode=$4
	machine=("$kernel/linux" "mem=${TXSIG_MEMORY:-1024}M" "initrd=$initrd" "uml_dir=$dir/" umid=uml con=null ssl=null
		panic=-1 panic_on_warn=1 oops=panic "txsig.host=$dir")
	case $mode in
	timed) machine+=("con0=null,fd:1" time-travel) ;;
	shell) machine+=("con0=fd:0,fd:1" txsig.shell) ;;
	*) die "user-mode Linux (LAB=uml) knows no mode '$mode'" ;;
	esac
}

# machine_clear DIR: nothing in it is of an earlier machine.
machine_clear() {
	local file
	for file in console.log job.log out.tar; do : >"$1/$file"; done
}

# machine_last_words DIR: one line on why the guest failed, from what it left there.
machine_last_words() {
	grep -aE 'Kernel panic|BUG:|WARNING:|Oops' "$1/console.log" | head -n1 | grep . ||
		{ cat "$1/machine.err" 2>/dev/null; tail -n1 "$1/console.log"; } | grep -v '^[[:space:]]*$' | tail -n1 | grep . ||
		echo "it said nothing"
}

# machine_lost_a_race DIR: the guest died of its emulator, and may well live the next time. When one CPU writes a breakpoint to
# patch code that another runs, QEMU before 8.1 may keep a translation of it; the kernel then meets one that nobody has set.
machine_lost_a_race() { grep -aq 'Oops: int3' "$1/console.log"; }

# machine_is_ready DIR: its first process has started the job.
machine_is_ready() { grep -q '^txsig-guest: ready' "$1/job.log" 2>/dev/null; }
