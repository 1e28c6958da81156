/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the server gives up, so that a flaw in it is worth little. */
#ifndef UBENCH_SANDBOX_H
#define UBENCH_SANDBOX_H

#include <stdint.h>

/*
 * In the listening process, once its socket is bound: as root become nobody
 * (65534) and keep of the capabilities only CAP_IPC_LOCK, for memory that
 * HCAs reach. 0 or -errno.
 */
int sandbox_drop_privileges(void);

/*
 * In a session's process: no more data memory than data_bytes, no core file,
 * and only the system calls of a run; any other fails with EPERM. 0 or -errno.
 */
int sandbox_enter(uint64_t data_bytes);

#endif
