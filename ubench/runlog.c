// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeps results on disk so that a reader sees a whole run or none. */
#include "runlog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "report_csv.h"

#define LOG_NAME "repeats.jsonl"
#define START_NAME "start.json"
#define WORK_SUFFIX ".partial"

static int make_parents(const char *path)
{
	char copy[PATH_MAX], *slash;

	snprintf(copy, sizeof(copy), "%s", path);
	for (slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(copy, 0777) && errno != EEXIST)
			return -errno;
		*slash = '/';
	}
	return 0;
}

/* final_dir without trailing slashes, and the hidden name beside it. */
static int name_dirs(struct runlog *log, const char *final_dir)
{
	size_t len = strlen(final_dir);
	const char *base;
	int n;

	while (len > 1 && final_dir[len - 1] == '/')
		len--;
	n = snprintf(log->final_dir, sizeof(log->final_dir), "%.*s", (int)len, final_dir);
	if (n == 0)
		return -ENOENT;
	base = strrchr(log->final_dir, '/');
	base = base ? base + 1 : log->final_dir;
	n = snprintf(log->work_dir, sizeof(log->work_dir), "%.*s.%s" WORK_SUFFIX,
		     (int)(base - log->final_dir), log->final_dir, base);
	return n < (int)sizeof(log->work_dir) ? 0 : -ENAMETOOLONG;
}

static int open_in(const struct runlog *log, const char *name, int flags)
{
	char path[PATH_MAX + 32];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", log->work_dir, name);
	fd = open(path, flags | O_CLOEXEC, 0666);
	return fd < 0 ? -errno : fd;
}

int runlog_create(struct runlog *log, const char *final_dir)
{
	int err = name_dirs(log, final_dir);

	if (!err)
		err = make_parents(log->final_dir);
	if (err)
		return err;
	if (!access(log->final_dir, F_OK))
		return -EEXIST;
	if (mkdir(log->work_dir, 0777))
		return errno == EEXIST ? -EBUSY : -errno;
	log->log_fd = open_in(log, LOG_NAME, O_WRONLY | O_CREAT | O_APPEND);
	return log->log_fd < 0 ? log->log_fd : 0;
}

int runlog_append(struct runlog *log, const json_t *repeat)
{
	char *text = json_dumps(repeat, JSON_COMPACT | JSON_PRESERVE_ORDER), *line;
	int err = 0, len;

	if (!text)
		return -ENOMEM;
	len = asprintf(&line, "%s\n", text);
	free(text);
	if (len < 0)
		return -ENOMEM;
	if (write(log->log_fd, line, (size_t)len) != len || fsync(log->log_fd))
		err = errno ? -errno : -EIO;
	free(line);
	return err;
}

/* Flushes, syncs and closes; 0 or -errno. */
static int close_synced(FILE *file)
{
	int err = 0;

	if (fflush(file) || ferror(file) || fsync(fileno(file)))
		err = errno ? -errno : -EIO;
	fclose(file);
	return err;
}

static FILE *create_in(const struct runlog *log, const char *name)
{
	int fd = open_in(log, name, O_WRONLY | O_CREAT | O_TRUNC);
	FILE *file;

	if (fd < 0)
		return NULL;
	file = fdopen(fd, "w");
	if (!file)
		close(fd);
	return file;
}

static int write_json(const struct runlog *log, const char *name, const json_t *document)
{
	FILE *file = create_in(log, name);

	if (!file)
		return -errno;
	json_dumpf(document, file, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
	fputc('\n', file);
	return close_synced(file);
}

static int write_csv(const struct runlog *log, const json_t *run)
{
	FILE *file = create_in(log, "summary.csv");
	int err, written;

	if (!file)
		return -errno;
	written = report_csv(file, run);
	err = close_synced(file);
	return written ? written : err;
}

static void sync_parent(const struct runlog *log)
{
	char parent[PATH_MAX];
	char *slash;
	int fd;

	snprintf(parent, sizeof(parent), "%s", log->final_dir);
	slash = strrchr(parent, '/');
	if (slash)
		*slash = '\0';
	fd = open(slash ? parent : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

static void remove_in(const struct runlog *log, const char *name)
{
	char path[PATH_MAX + 32];

	snprintf(path, sizeof(path), "%s/%s", log->work_dir, name);
	unlink(path);
}

int runlog_begin(struct runlog *log, const json_t *start)
{
	return write_json(log, START_NAME, start);
}

/* From <dir>/.<name>.partial to <dir>/<name>. */
static int name_final_dir(struct runlog *log, const char *work_dir)
{
	size_t len, suffix = strlen(WORK_SUFFIX);
	char *base;

	if (!realpath(work_dir, log->work_dir))
		return -errno;
	strcpy(log->final_dir, log->work_dir);
	base = strrchr(log->final_dir, '/') + 1;
	len = strlen(base);
	if (*base != '.' || len <= suffix + 1 || strcmp(base + len - suffix, WORK_SUFFIX))
		return -EINVAL;
	base[len - suffix] = '\0';
	memmove(base, base + 1, len - suffix);
	return 0;
}

/* Reads the whole lines and cuts off a torn one. */
static json_t *read_repeats(int fd)
{
	json_t *repeats = json_array(), *repeat;
	FILE *file = fdopen(dup(fd), "r");
	char *line = NULL;
	size_t line_len = 0;
	off_t whole = 0;
	ssize_t len;

	if (!file) {
		json_decref(repeats);
		return NULL;
	}
	while ((len = getline(&line, &line_len, file)) > 0) {
		repeat = line[len - 1] == '\n' ? json_loadb(line, (size_t)len, 0, NULL) : NULL;
		if (!repeat)
			break;
		json_array_append_new(repeats, repeat);
		whole += len;
	}
	free(line);
	fclose(file);
	if (ftruncate(fd, whole)) {
		json_decref(repeats);
		return NULL;
	}
	return repeats;
}

int runlog_reopen(struct runlog *log, const char *work_dir, json_t **start, json_t **repeats,
		  char *why, size_t why_len)
{
	char path[PATH_MAX + 32];
	int err = name_final_dir(log, work_dir);

	if (err) {
		snprintf(why, why_len, "%s is not what a sweep leaves: %s", work_dir, strerror(-err));
		return -1;
	}
	snprintf(path, sizeof(path), "%s/" START_NAME, log->work_dir);
	*start = runlog_load(path, why, why_len);
	if (!*start)
		return -1;
	log->log_fd = open_in(log, LOG_NAME, O_RDWR | O_APPEND);
	*repeats = log->log_fd >= 0 ? read_repeats(log->log_fd) : NULL;
	if (*repeats)
		return 0;
	snprintf(why, why_len, "%s/" LOG_NAME ": %s", log->work_dir, strerror(errno));
	runlog_close(log);
	json_decref(*start);
	return -1;
}

int runlog_publish(struct runlog *log, const json_t *run)
{
	int err = write_json(log, "run.json", run);

	if (!err)
		err = write_csv(log, run);
	if (err)
		return err;
	runlog_close(log);
	remove_in(log, LOG_NAME);	/* run.json holds every line of it */
	remove_in(log, START_NAME);
	if (rename(log->work_dir, log->final_dir))
		return -errno;
	sync_parent(log);
	return 0;
}

void runlog_close(struct runlog *log)
{
	if (log->log_fd >= 0)
		close(log->log_fd);
	log->log_fd = -1;
}

void runlog_discard(struct runlog *log)
{
	runlog_close(log);
	remove_in(log, LOG_NAME);
	remove_in(log, START_NAME);
	remove_in(log, "run.json");
	remove_in(log, "summary.csv");
	rmdir(log->work_dir);
}

json_t *runlog_load(const char *path, char *why, size_t why_len)
{
	char file[PATH_MAX];
	struct stat st;
	json_error_t error;
	json_t *run;

	if (stat(path, &st)) {
		snprintf(why, why_len, "%s: %s", path, strerror(errno));
		return NULL;
	}
	snprintf(file, sizeof(file), "%s%s", path, S_ISDIR(st.st_mode) ? "/run.json" : "");
	run = json_load_file(file, 0, &error);
	if (!run)
		snprintf(why, why_len, "%s: line %d: %s", file, error.line, error.text);
	return run;
}
