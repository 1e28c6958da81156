/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What went wrong in verbs, by name, in one line that says what to do. */
#ifndef UBENCH_VERBS_ERROR_H
#define UBENCH_VERBS_ERROR_H

#include <stdint.h>

#include "result.h"

struct ibv_wc;

/* Note the first error of a run, for the user. Always -EIO, the "already explained" of this code. */
__attribute__((format(printf, 4, 5)))
int verbs_fail(struct result_error *err, int exit_code, const char *where, const char *fmt, ...);

/*
 * Note that a verbs or rdma_cm call failed with the positive errno value e;
 * what is the thing it was to make ("queue pair"). Adds what to do about it:
 * locked memory, permissions, limits of the device. Always -EIO.
 */
int verbs_fail_errno(struct result_error *err, const char *what, int e);

/* "IBV_WC_..." of an enum ibv_wc_status, "IBV_EVENT_..." of an enum ibv_event_type; never NULL. */
const char *verbs_wc_status_name(int status);
const char *verbs_event_name(int event);

/* Note a work completion with an error, with the flow and the number of the WR that caused it. Always -EIO. */
int verbs_fail_wc(struct result_error *err, const struct ibv_wc *wc, unsigned int flow, uint64_t wr);

#endif
