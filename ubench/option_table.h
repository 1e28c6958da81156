/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command line as a table: each option with its letter, its name, its help and the function that takes its value. */
#ifndef UBENCH_OPTION_TABLE_H
#define UBENCH_OPTION_TABLE_H

#include <stddef.h>

struct option_row {
	char letter;		/* 0: has none */
	const char *name;	/* behind "--"; NULL: has none */
	const char *value;	/* what help calls its value; NULL: takes none */
	const char *help;	/* more lines after '\n' */
	/* 0, or negative for a bad value. NULL: asks for help. value is NULL when it takes none. */
	int (*take)(void *into, const char *value);
	unsigned int groups;	/* bits of which the table needs one; 0: always there */
};

struct option_table {
	const char *command;	/* for complaints: "UDP_STREAM" */
	const struct option_row *rows;
	size_t n;
	unsigned int groups;	/* those that this command has */
};

/* Besides exit codes. */
#define OPTION_TABLE_DONE (-1)	/* every argument was an option and taken */
#define OPTION_TABLE_HELP (-2)	/* help was asked for */

/*
 * Take the options argv[1] to argv[argc - 1] into *into. Returns one of the
 * above, or UBENCH_EXIT_USAGE after a line on stderr that says what is wrong.
 */
int option_table_parse(const struct option_table *t, void *into, int argc, char **argv);

/* A line on stderr as option_table_parse() writes it; value may be NULL. Returns UBENCH_EXIT_USAGE. */
int option_table_complain(const char *command, const char *what, const char *value);

/* Print a line of help to stdout for each option that the command has. */
void option_table_help(const struct option_table *t);

#endif
