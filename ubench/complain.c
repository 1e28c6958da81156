// SPDX-License-Identifier: GPL-2.0-or-later
/* How subcommands say that they cannot go on. */
#include "complain.h"

#include <stdarg.h>
#include <stdio.h>

int complain(const char *command, int exit_code, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "ubench %s: ", command);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return exit_code;
}
