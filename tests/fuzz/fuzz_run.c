// SPDX-License-Identifier: GPL-2.0-or-later
/* The reader of stored runs, the check of them against the schema, and the summary of those that pass it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <jansson.h>

#include "../../ubench/report_csv.h"
#include "../../ubench/runlog.h"
#include "../../ubench/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static json_t *schema;
	char path[64], why[256];
	int fd = memfd_create("run", MFD_CLOEXEC);
	json_t *run;

	if (!schema)
		schema = schema_of_run();
	if (fd < 0 || !schema || write(fd, data, len) != (ssize_t)len)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	run = runlog_load(path, why, sizeof(why));
	/* What the schema lets through must make a table. */
	if (run && !schema_check(schema, run, why, sizeof(why)))
		report_csv(stdout, run);
	json_decref(run);
	close(fd);
	return 0;
}
