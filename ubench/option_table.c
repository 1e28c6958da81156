// SPDX-License-Identifier: GPL-2.0-or-later
/* A command line as a table: each option with its letter, its name, its help and the function that takes its value. */
#include "option_table.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"

#define MAX_ROWS 64
/* What getopt_long() returns for a long option: beyond every letter. */
#define FIRST_LONG 256
#define HELP_COLUMN 19

int option_table_complain(const char *command, const char *what, const char *value)
{
	fprintf(stderr, "ubench %s: %s%s%s; see --help\n", command, what, value ? ": " : "",
		value ? value : "");
	return UBENCH_EXIT_USAGE;
}

static bool is_there(const struct option_table *t, const struct option_row *row)
{
	return !row->groups || (row->groups & t->groups);
}

/* getopt's two descriptions of the rows. */
static void describe(const struct option_table *t, char *letters, struct option *longs)
{
	size_t i, n = 0;

	letters += sprintf(letters, "+:");
	for (i = 0; i < t->n && i < MAX_ROWS; i++) {
		const struct option_row *row = &t->rows[i];

		if (row->letter)
			letters += sprintf(letters, "%c%s", row->letter, row->value ? ":" : "");
		if (row->name)
			longs[n++] = (struct option){ row->name, !!row->value, NULL,
						      FIRST_LONG + (int)i };
	}
	longs[n] = (struct option){ 0 };
}

static const struct option_row *find(const struct option_table *t, int c)
{
	size_t i;

	if (c >= FIRST_LONG)
		return &t->rows[c - FIRST_LONG];
	for (i = 0; i < t->n; i++)
		if (t->rows[i].letter == c)
			return &t->rows[i];
	return NULL;
}

static int complain_option(const struct option_table *t, int c, char **argv)
{
	return option_table_complain(t->command,
				     c == ':' ? "option needs a value" : "no such option",
				     argv[optind - 1]);
}

static int complain_row(const struct option_table *t, const struct option_row *row)
{
	char option[64];

	if (row->name)
		snprintf(option, sizeof(option), "--%s", row->name);
	else
		snprintf(option, sizeof(option), "-%c", row->letter);
	return option_table_complain(t->command, "not an option of this test", option);
}

int option_table_parse(const struct option_table *t, void *into, int argc, char **argv)
{
	char letters[2 * MAX_ROWS + 3];
	struct option longs[MAX_ROWS + 1];
	const struct option_row *row;
	int c;

	describe(t, letters, longs);
	opterr = 0;
	optind = 0;	/* getopt's full reset: it runs several times in a process */
	while ((c = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		row = c == '?' || c == ':' ? NULL : find(t, c);
		if (!row)
			return complain_option(t, c, argv);
		if (!row->take)
			return OPTION_TABLE_HELP;
		if (!is_there(t, row))
			return complain_row(t, row);
		if (row->take(into, optarg))
			return option_table_complain(t->command, "bad value", argv[optind - 1]);
	}
	if (optind < argc)
		return option_table_complain(t->command, "unexpected argument", argv[optind]);
	return OPTION_TABLE_DONE;
}

/* "-p, --port N" */
static void write_names(char *text, const struct option_row *row)
{
	if (row->letter)
		text += sprintf(text, "-%c", row->letter);
	if (row->name)
		text += sprintf(text, "%s--%s", row->letter ? ", " : "", row->name);
	if (row->value)
		sprintf(text, " %s", row->value);
}

void option_table_help(const struct option_table *t)
{
	char names[128];
	const char *p;
	size_t i;

	for (i = 0; i < t->n; i++) {
		if (!is_there(t, &t->rows[i]))
			continue;
		write_names(names, &t->rows[i]);
		if (strlen(names) > HELP_COLUMN - 3)
			printf("  %s\n%*s", names, HELP_COLUMN, "");
		else
			printf("  %-*s ", HELP_COLUMN - 3, names);
		for (p = t->rows[i].help; *p; p++) {
			putchar(*p);
			if (*p == '\n')
				printf("%*s", HELP_COLUMN, "");
		}
		putchar('\n');
	}
}
