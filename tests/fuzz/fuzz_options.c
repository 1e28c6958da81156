// SPDX-License-Identifier: GPL-2.0-or-later
/* Whole command lines, a word a line: of the server, of every test, of a sweep with its lists of values. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../ubench/options.h"
#include "../../ubench/server_options.h"
#include "../../ubench/sweep_options.h"
#include "../../ubench/verbs_options.h"

#define MAX_WORDS 40

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* The first byte chooses among these. */
static const struct options_test tests[] = {
	{ "UDP_STREAM", "", OPTIONS_DATAGRAMS | OPTIONS_ONE_WAY | OPTIONS_MESSAGE | OPTIONS_DATA, 1400, 65507 },
	{ "TCP_STREAM", "", OPTIONS_ONE_WAY | OPTIONS_MESSAGE | OPTIONS_DATA, 16384, 64 << 20 },
	{ "UDP_RR", "", OPTIONS_PAIR | OPTIONS_DATA, 64, 65507 },
};

static void parse_test(const struct options_test *test, int argc, char **argv)
{
	struct options opt;

	if (options_parse(&opt, test, argc, argv) >= 0)
		return;
	if (!*opt.host || !opt.message_bytes || opt.message_bytes > test->max_message_bytes ||
	    opt.flows < 1 || opt.flows > OPTIONS_MAX_FLOWS || opt.n_fail_if > OPTIONS_MAX_FAIL_IF ||
	    opt.n_receivers >= OPTIONS_MAX_RECEIVERS || opt.min_iterations > opt.max_iterations)
		abort();
}

static void parse_sweep(int argc, char **argv)
{
	struct sweep_options opt;

	sweep_options_parse(&opt, argc, argv);
	sweep_options_free(&opt);
}

static void parse_server(int argc, char **argv)
{
	struct server_options opt;

	if (server_options_parse(&opt, argc, argv) < 0 &&
	    (opt.n_allow > SERVER_MAX_ALLOW || opt.max_clients > SERVER_MAX_CLIENTS))
		abort();
}

static void parse(unsigned int which, int argc, char **argv)
{
	static struct verbs_options verbs;

	switch (which % 6) {
	case 0:
	case 1:
	case 2:
		parse_test(&tests[which % 6], argc, argv);
		break;
	case 3:
		parse_server(argc, argv);
		break;
	case 4:
		parse_sweep(argc, argv);
		break;
	case 5:
		verbs_options_parse(&verbs, argc, argv);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	char text[1024], *argv[MAX_WORDS + 2], *word = text;
	int argc = 1;

	if (!len || len > sizeof(text))
		return 0;
	memcpy(text, data + 1, len - 1);
	text[len - 1] = '\0';
	argv[0] = (char *)"test";
	while (word && argc <= MAX_WORDS) {
		argv[argc++] = word;
		word = strchr(word, '\n');
		if (word)
			*word++ = '\0';
	}
	argv[argc] = NULL;
	parse(data[0], argc, argv);
	return 0;
}
