/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The directory of a run: filled under a temporary name, renamed when it is whole. */
#ifndef UBENCH_RUNLOG_H
#define UBENCH_RUNLOG_H

#include <limits.h>
#include <stddef.h>

struct json_t;

struct runlog {
	char final_dir[PATH_MAX];
	char work_dir[PATH_MAX];	/* beside final_dir: .<name>.partial */
	int log_fd;			/* work_dir/repeats.jsonl */
};

/*
 * Creates the working directory and the parents it needs. Returns 0, -EEXIST if the result is there
 * already, -EBUSY if the working directory is, or -errno.
 */
int runlog_create(struct runlog *log, const char *final_dir);

/* Stores what a later resume starts from, synced to disk. Returns 0 or -errno. */
int runlog_begin(struct runlog *log, const struct json_t *start);

/*
 * Opens a working directory that a dead process left: the document of runlog_begin() and an array
 * of the whole repeats, both new references; a torn last line is cut off. Returns 0, or -1 with a
 * sentence in why.
 */
int runlog_reopen(struct runlog *log, const char *work_dir, struct json_t **start,
		  struct json_t **repeats, char *why, size_t why_len);

/* Appends one repeat as a line and syncs it to disk. Returns 0 or -errno. */
int runlog_append(struct runlog *log, const struct json_t *repeat);

/*
 * Writes run.json and summary.csv of the whole run, syncs them and gives the directory its final
 * name. Returns 0 or -errno; the working directory stays on failure.
 */
int runlog_publish(struct runlog *log, const struct json_t *run);

/* Closes the log and leaves the working directory for runlog_reopen(). */
void runlog_close(struct runlog *log);

/* Closes the log and removes the working directory and what is in it. */
void runlog_discard(struct runlog *log);

/*
 * Reads <path>/run.json, or path itself if it is a file. Returns a new reference, or NULL with a
 * sentence in why.
 */
struct json_t *runlog_load(const char *path, char *why, size_t why_len);

#endif
