/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One clear line on stderr, and the exit code that goes with it. */
#ifndef UBENCH_COMPLAIN_H
#define UBENCH_COMPLAIN_H

/* Prints "ubench <command>: <message>" as one line to stderr. Returns exit_code. */
__attribute__((format(printf, 3, 4)))
int complain(const char *command, int exit_code, const char *format, ...);

#endif
