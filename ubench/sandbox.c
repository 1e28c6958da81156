// SPDX-License-Identifier: GPL-2.0-or-later
/* What the server gives up, so that a flaw in it is worth little. */
#include "sandbox.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cap-ng.h>
#include <seccomp.h>

#define NOBODY 65534

int sandbox_drop_privileges(void)
{
	if (geteuid())
		return 0;
	capng_clear(CAPNG_SELECT_BOTH);
	if (capng_update(CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED, CAP_IPC_LOCK))
		return -EINVAL;
	/* Negative values count the step that failed. */
	if (capng_change_id(NOBODY, NOBODY, CAPNG_DROP_SUPP_GRP | CAPNG_CLEAR_BOUNDING))
		return -EPERM;
	return 0;
}

/* Memory, threads, clocks, and what the C library does on its own. */
static const int process_calls[] = {
	SCMP_SYS(access), SCMP_SYS(brk), SCMP_SYS(clock_getres), SCMP_SYS(clock_gettime),
	SCMP_SYS(clock_nanosleep), SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(futex),
	SCMP_SYS(get_mempolicy), SCMP_SYS(getegid), SCMP_SYS(geteuid), SCMP_SYS(getgid),
	SCMP_SYS(getpid), SCMP_SYS(getrandom), SCMP_SYS(getrusage), SCMP_SYS(gettid),
	SCMP_SYS(gettimeofday), SCMP_SYS(getuid), SCMP_SYS(madvise), SCMP_SYS(mbind),
	SCMP_SYS(membarrier), SCMP_SYS(mlock), SCMP_SYS(mmap), SCMP_SYS(mprotect),
	SCMP_SYS(mremap), SCMP_SYS(munlock), SCMP_SYS(munmap), SCMP_SYS(nanosleep),
	SCMP_SYS(prctl), SCMP_SYS(prlimit64), SCMP_SYS(restart_syscall), SCMP_SYS(rseq),
	SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
	SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_setaffinity), SCMP_SYS(sched_yield),
	SCMP_SYS(set_mempolicy), SCMP_SYS(set_robust_list), SCMP_SYS(set_tid_address),
	SCMP_SYS(sigaltstack), SCMP_SYS(sysinfo), SCMP_SYS(tgkill), SCMP_SYS(time),
	SCMP_SYS(uname),
};

/* Descriptors: sockets, /proc and /sys, RDMA devices. */
static const int descriptor_calls[] = {
	SCMP_SYS(accept4), SCMP_SYS(bind), SCMP_SYS(close), SCMP_SYS(connect), SCMP_SYS(dup),
	SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_pwait),
	SCMP_SYS(epoll_wait), SCMP_SYS(eventfd2), SCMP_SYS(faccessat), SCMP_SYS(fcntl),
	SCMP_SYS(fstat), SCMP_SYS(getdents64), SCMP_SYS(getpeername), SCMP_SYS(getsockname),
	SCMP_SYS(getsockopt), SCMP_SYS(ioctl), SCMP_SYS(listen), SCMP_SYS(lseek),
	SCMP_SYS(newfstatat), SCMP_SYS(openat), SCMP_SYS(pipe2), SCMP_SYS(poll), SCMP_SYS(ppoll),
	SCMP_SYS(pread64), SCMP_SYS(read), SCMP_SYS(readlink), SCMP_SYS(readlinkat),
	SCMP_SYS(readv), SCMP_SYS(recvfrom), SCMP_SYS(recvmmsg), SCMP_SYS(recvmsg),
	SCMP_SYS(select), SCMP_SYS(sendmmsg), SCMP_SYS(sendmsg), SCMP_SYS(sendto),
	SCMP_SYS(setsockopt), SCMP_SYS(shutdown), SCMP_SYS(socket), SCMP_SYS(stat),
	SCMP_SYS(statfs), SCMP_SYS(statx), SCMP_SYS(write), SCMP_SYS(writev),
};

static int allow(scmp_filter_ctx filter, const int *calls, size_t n)
{
	int ret = 0;
	size_t i;

	for (i = 0; i < n && !ret; i++)
		ret = seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0);
	return ret;
}

/* Threads may start, processes may not. clone3() hides its flags from the filter: not there. */
static int allow_threads(scmp_filter_ctx filter)
{
	int ret = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);

	if (ret)
		return ret;
	return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
				SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
}

static int load_filter(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int ret = -ENOMEM;

	if (filter)
		ret = allow_threads(filter);
	if (!ret)
		ret = allow(filter, process_calls, sizeof(process_calls) / sizeof(int));
	if (!ret)
		ret = allow(filter, descriptor_calls, sizeof(descriptor_calls) / sizeof(int));
	if (!ret)
		ret = seccomp_load(filter);
	seccomp_release(filter);
	return ret;
}

int sandbox_enter(uint64_t data_bytes)
{
	const struct rlimit no_core = { 0, 0 }, data = { data_bytes, data_bytes };

	if (setrlimit(RLIMIT_CORE, &no_core) || setrlimit(RLIMIT_DATA, &data))
		return -errno;
	/* seccomp_load() sets no_new_privs, without which an unprivileged process may not filter. */
	return load_filter();
}
