// SPDX-License-Identifier: GPL-2.0-or-later
/* What went wrong in verbs, by name, in one line that says what to do. */
#include "verbs_error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include <infiniband/verbs.h>

#include "cmd.h"

int verbs_fail(struct result_error *err, int exit_code, const char *where, const char *fmt, ...)
{
	va_list args;

	if (err->code)
		return -EIO;
	err->code = exit_code;
	snprintf(err->where, sizeof(err->where), "%s", where);
	va_start(args, fmt);
	vsnprintf(err->message, sizeof(err->message), fmt, args);
	va_end(args);
	return -EIO;
}

static const char *locked_memory_advice(char *buf, size_t size)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return "take smaller depths (-t, -r)";
	snprintf(buf, size, "the limit of locked memory is %" PRIu64 " kB: raise it (ulimit -l) or "
		 "take smaller depths (-t, -r)",
		 (uint64_t)limit.rlim_cur / 1024);
	return buf;
}

static const struct {
	int error;
	const char *advice;
} advices[] = {
	{ EPERM, "run as root, or allow access to /dev/infiniband" },
	{ EACCES, "run as root, or allow access to /dev/infiniband" },
	{ EINVAL, "the device refuses these values: take smaller depths (-t, -r) or inline data (-I)" },
	{ EOPNOTSUPP, "the device or its driver cannot do it" },
	{ ENOSYS, "the device or its driver cannot do it" },
	{ ETIMEDOUT, "the network did not resolve the peer's address (ARP, neighbour discovery)" },
	{ ENODEV, "the device is gone or has no such address: see ibv_devices, rdma link" },
	{ ENXIO, "the device is gone or has no such address: see ibv_devices, rdma link" },
};

int verbs_fail_errno(struct result_error *err, const char *what, int e)
{
	bool is_unsupported = e == EOPNOTSUPP || e == ENOSYS;
	const char *advice = "see dmesg";
	char buf[160];
	size_t i;

	for (i = 0; i < sizeof(advices) / sizeof(*advices); i++)
		if (advices[i].error == e)
			advice = advices[i].advice;
	if (e == ENOMEM)
		advice = locked_memory_advice(buf, sizeof(buf));
	return verbs_fail(err, is_unsupported ? UBENCH_EXIT_UNSUPPORTED : UBENCH_EXIT_FAILED,
			  "verbs", "%s: %s; %s", what, strerror(e), advice);
}

#define NAME(constant) [constant] = #constant

static const char *const wc_status_names[] = {
	NAME(IBV_WC_SUCCESS), NAME(IBV_WC_LOC_LEN_ERR), NAME(IBV_WC_LOC_QP_OP_ERR),
	NAME(IBV_WC_LOC_EEC_OP_ERR), NAME(IBV_WC_LOC_PROT_ERR), NAME(IBV_WC_WR_FLUSH_ERR),
	NAME(IBV_WC_MW_BIND_ERR), NAME(IBV_WC_BAD_RESP_ERR), NAME(IBV_WC_LOC_ACCESS_ERR),
	NAME(IBV_WC_REM_INV_REQ_ERR), NAME(IBV_WC_REM_ACCESS_ERR), NAME(IBV_WC_REM_OP_ERR),
	NAME(IBV_WC_RETRY_EXC_ERR), NAME(IBV_WC_RNR_RETRY_EXC_ERR), NAME(IBV_WC_LOC_RDD_VIOL_ERR),
	NAME(IBV_WC_REM_INV_RD_REQ_ERR), NAME(IBV_WC_REM_ABORT_ERR), NAME(IBV_WC_INV_EECN_ERR),
	NAME(IBV_WC_INV_EEC_STATE_ERR), NAME(IBV_WC_FATAL_ERR), NAME(IBV_WC_RESP_TIMEOUT_ERR),
	NAME(IBV_WC_GENERAL_ERR), NAME(IBV_WC_TM_ERR), NAME(IBV_WC_TM_RNDV_INCOMPLETE),
};

static const char *const event_names[] = {
	NAME(IBV_EVENT_CQ_ERR), NAME(IBV_EVENT_QP_FATAL), NAME(IBV_EVENT_QP_REQ_ERR),
	NAME(IBV_EVENT_QP_ACCESS_ERR), NAME(IBV_EVENT_COMM_EST), NAME(IBV_EVENT_SQ_DRAINED),
	NAME(IBV_EVENT_PATH_MIG), NAME(IBV_EVENT_PATH_MIG_ERR), NAME(IBV_EVENT_DEVICE_FATAL),
	NAME(IBV_EVENT_PORT_ACTIVE), NAME(IBV_EVENT_PORT_ERR), NAME(IBV_EVENT_LID_CHANGE),
	NAME(IBV_EVENT_PKEY_CHANGE), NAME(IBV_EVENT_SM_CHANGE), NAME(IBV_EVENT_SRQ_ERR),
	NAME(IBV_EVENT_SRQ_LIMIT_REACHED), NAME(IBV_EVENT_QP_LAST_WQE_REACHED),
	NAME(IBV_EVENT_CLIENT_REREGISTER), NAME(IBV_EVENT_GID_CHANGE), NAME(IBV_EVENT_WQ_FATAL),
};

static const char *name_of(const char *const *names, size_t n, int value, const char *unknown)
{
	return value >= 0 && (size_t)value < n && names[value] ? names[value] : unknown;
}

const char *verbs_wc_status_name(int status)
{
	return name_of(wc_status_names, sizeof(wc_status_names) / sizeof(*wc_status_names), status,
		       "IBV_WC_(unknown)");
}

const char *verbs_event_name(int event)
{
	return name_of(event_names, sizeof(event_names) / sizeof(*event_names), event,
		       "IBV_EVENT_(unknown)");
}

static const char *wc_advice(int status)
{
	switch (status) {
	case IBV_WC_LOC_LEN_ERR:
		return "the message does not fit the path MTU or the receive buffer: take a smaller -s";
	case IBV_WC_LOC_PROT_ERR:
		return "the buffer does not lie in registered memory";
	case IBV_WC_LOC_QP_OP_ERR:
		return "the device refused the request: try other -I, -l or --post-api";
	case IBV_WC_WR_FLUSH_ERR:
		return "the queue pair went to its error state before: see dmesg";
	default:
		return "see dmesg";
	}
}

int verbs_fail_wc(struct result_error *err, const struct ibv_wc *wc, unsigned int flow, uint64_t wr)
{
	return verbs_fail(err, UBENCH_EXIT_FAILED, "data",
			  "work request %" PRIu64 " of flow %u (QP 0x%06x) failed with %s (vendor error 0x%x); %s",
			  wr, flow, wc->qp_num, verbs_wc_status_name((int)wc->status),
			  wc->vendor_err, wc_advice((int)wc->status));
}
