// SPDX-License-Identifier: GPL-2.0-or-later
/* The JSON document into a file, by way of a temporary one beside it and rename(). */
#include "result.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

static int write_document(const struct ubench_result *r, int fd)
{
	json_t *doc = result_to_json(r);
	FILE *f = fdopen(fd, "w");
	int ret;

	if (!f) {
		close(fd);
		json_decref(doc);
		return -1;
	}
	ret = doc ? json_dumpf(doc, f, JSON_INDENT(2)) : -1;
	json_decref(doc);
	if (fputc('\n', f) == EOF || fflush(f) || fsync(fd))
		ret = -1;
	return fclose(f) ? -1 : ret;
}

int result_write(const struct ubench_result *r, const char *path)
{
	char temporary[4096];
	int fd, saved;

	if ((size_t)snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path) >= sizeof(temporary)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkstemp(temporary);
	if (fd < 0)
		return -1;
	/* mkstemp() keeps others from reading; a result is no secret. */
	if (!fchmod(fd, 0644) && !write_document(r, fd) && !rename(temporary, path))
		return 0;
	saved = errno;
	unlink(temporary);
	errno = saved;
	return -1;
}
