// SPDX-License-Identifier: GPL-2.0-or-later
/* Options of `ubench sweep`; whatever can be refused without touching the host is refused here. */
#include "sweep_options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <jansson.h>

#include "cmd.h"
#include "complain.h"
#include "knob.h"
#include "sweep_plan.h"
#include "verbs_protocol.h"

static const char help[] =
	"usage: ubench sweep --iface IF [options] -- TEST [options of the test]\n"
	"       ubench sweep --knob KNOB=VALUES [--knob KNOB=VALUES] [options] -- TEST [options]\n"
	"\n"
	"Runs TEST (UDP_STREAM) at each value of the interface's tx_signal_rate, or of another knob,\n"
	"stores every repeat and prints netperf's table of each point and one summary. The values from\n"
	"before come back, however the sweep ends.\n"
	"\n"
	"  -i, --iface IF         interface whose knobs are set\n"
	"  -k, --knob KNOB[=V,V]  what is varied, over which values; two of them make a grid. KNOB is\n"
	"                           tx_signal_rate   of the interface (default)\n"
	"                           driver           unpatched,patched: see --driver-hook\n"
	"                           sysfs:NAME       /sys/class/net/IF/NAME, such as sysfs:tx_queue_len\n"
	"                           ethtool:NAME     tx-usecs, rx-frames, ... (ethtool -C), ring-rx, ring-tx\n"
	"                           option:-m        an option of the test, behind its \"--\"\n"
	"                           global:--gso     one before it\n"
	"                           signal-rate      option:--signal-rate of VERBS_UD\n"
	"                         Options of the test need no interface and no root\n"
	"  -r, --rates LIST       values of the (first) knob that has none, comma-separated; the rate\n"
	"                         \"unpatched\" is the driver without tx_signal_rate\n"
	"                         (default 1,4,8,16,32, with a hook unpatched,1,4,8,16,32)\n"
	"  -n, --repeat N         rounds over all rates (default 3)\n"
	"      --until-ci W       after these, add rounds until each point's interval (95 %, of the ratio to\n"
	"                         the baseline, or of the mean without one) is within W percent\n"
	"      --max-repeat N     but at most N rounds in all (default 50)\n"
	"      --order random|interleaved  each round runs every rate once, shuffled (default) or in\n"
	"                         the order of the list\n"
	"      --drift-check      run the baseline once more before the first and after each round, to see\n"
	"                         whether the host changes meanwhile\n"
	"      --seed N           seed of the shuffled order (default: drawn; stored with the result)\n"
	"      --warmup N         runs before the first round that count for nothing (default 1)\n"
	"      --time-limit SECS  a run that takes longer is ended and fails the sweep (default 3600)\n"
	"      --driver-hook CMD  runs `CMD unpatched` or `CMD patched` to change the driver\n"
	"  -o, --output DIR       where the result goes (default results/<UTC time>-<host>-<test>)\n"
	"      --note KEY=VALUE   remark stored with the result; may be repeated\n"
	"      --resume DIR       finish the killed or interrupted sweep that left DIR (a *.partial);\n"
	"                         its own command line is used again\n"
	"      --compare RUN      show this stored run beside the new one; may be repeated\n"
	"      --sysfs DIR        use DIR instead of /sys (default $TXSIG_SYSFS or /sys)\n"
	"  -h, --help\n"
	"\n"
	"stdout: tables, and the path of the result as the last line. stderr: progress and errors.\n"
	"Exit codes: 0 ok, 1 the sweep failed, 2 usage (bad rate, no such interface, ...),\n"
	"130 interrupted. Needs root, or write permission on the knob.\n";

enum { OPT_ORDER = 256, OPT_SEED, OPT_WARMUP, OPT_RESUME, OPT_UNTIL_CI,
       OPT_MAX_REPEAT, OPT_TIME_LIMIT, OPT_DRIFT, OPT_HOOK, OPT_NOTE, OPT_COMPARE, OPT_SYSFS };

static const struct option long_options[] = {
	{ "iface", required_argument, NULL, 'i' },
	{ "knob", required_argument, NULL, 'k' },
	{ "rates", required_argument, NULL, 'r' },
	{ "repeat", required_argument, NULL, 'n' },
	{ "until-ci", required_argument, NULL, OPT_UNTIL_CI },
	{ "max-repeat", required_argument, NULL, OPT_MAX_REPEAT },
	{ "time-limit", required_argument, NULL, OPT_TIME_LIMIT },
	{ "order", required_argument, NULL, OPT_ORDER },
	{ "drift-check", no_argument, NULL, OPT_DRIFT },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "warmup", required_argument, NULL, OPT_WARMUP },
	{ "resume", required_argument, NULL, OPT_RESUME },
	{ "driver-hook", required_argument, NULL, OPT_HOOK },
	{ "output", required_argument, NULL, 'o' },
	{ "note", required_argument, NULL, OPT_NOTE },
	{ "compare", required_argument, NULL, OPT_COMPARE },
	{ "sysfs", required_argument, NULL, OPT_SYSFS },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 }
};

/* A whole decimal number from min to max for --name. */
static int parse_number(const char *name, const char *text, unsigned long min, unsigned long max,
			unsigned int *number)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || value < min || value > max)
		return complain("sweep", UBENCH_EXIT_USAGE, "bad --%s '%s': allowed are %lu..%lu",
				name, text, min, max);
	*number = (unsigned int)value;
	return -1;
}

static int parse_width(struct sweep_options *options, const char *text)
{
	char *end;

	options->until_ci_percent = strtod(text, &end);
	if (end == text || *end || !(options->until_ci_percent > 0) ||
	    options->until_ci_percent > 100)
		return complain("sweep", UBENCH_EXIT_USAGE,
				"bad --until-ci '%s': a width in percent is expected, above 0 and "
				"at most 100",
				text);
	return -1;
}

static int parse_order(struct sweep_options *options, const char *text)
{
	options->interleaved = !strcmp(text, "interleaved");
	if (!options->interleaved && strcmp(text, "random"))
		return complain("sweep", UBENCH_EXIT_USAGE,
				"bad --order '%s': allowed are random and interleaved", text);
	return -1;
}

static int parse_knob(struct sweep_options *options, const char *text)
{
	char why[384];

	if (options->n_knobs == SWEEP_MAX_KNOBS)
		return complain("sweep", UBENCH_EXIT_USAGE, "more than %d --knob", SWEEP_MAX_KNOBS);
	if (sweep_knob_parse(&options->knobs[options->n_knobs], text, why, sizeof(why)))
		return complain("sweep", UBENCH_EXIT_USAGE, "%s", why);
	options->n_knobs++;
	return -1;
}

static int parse_note(struct sweep_options *options, const char *text)
{
	const char *equals = strchr(text, '=');
	char key[64];

	if (!equals || equals == text || equals - text >= (int)sizeof(key))
		return complain("sweep", UBENCH_EXIT_USAGE,
				"bad --note '%s': KEY=VALUE is expected", text);
	snprintf(key, sizeof(key), "%.*s", (int)(equals - text), text);
	if (json_object_set_new(options->notes, key, json_string(equals + 1)))
		return complain("sweep", UBENCH_EXIT_USAGE, "bad --note '%s': not UTF-8", text);
	return -1;
}

static int add_compare(struct sweep_options *options, const char *run)
{
	if (options->n_compare == SWEEP_MAX_COMPARE)
		return complain("sweep", UBENCH_EXIT_USAGE, "more than %d --compare",
				SWEEP_MAX_COMPARE);
	options->compare[options->n_compare++] = run;
	return -1;
}

/* Where an option that is only kept goes; NULL for the others. */
static const char **text_option(struct sweep_options *options, int option)
{
	switch (option) {
	case 'i':
		return &options->iface;
	case 'r':
		return &options->rates;
	case 'o':
		return &options->output;
	case OPT_RESUME:
		return &options->resume;
	case OPT_HOOK:
		return &options->hook;
	case OPT_SYSFS:
		return &options->sysfs_root;
	default:
		return NULL;
	}
}

static int parse_one(struct sweep_options *options, int option)
{
	const char **text = text_option(options, option);

	if (text) {
		*text = optarg;
		return -1;
	}
	switch (option) {
	case 'k':
		return parse_knob(options, optarg);
	case 'n':
		return parse_number("repeat", optarg, 1, SWEEP_MAX_REPEATS, &options->repeats);
	case OPT_UNTIL_CI:
		return parse_width(options, optarg);
	case OPT_MAX_REPEAT:
		return parse_number("max-repeat", optarg, 2, SWEEP_MAX_REPEATS,
				    &options->max_repeats);
	case OPT_TIME_LIMIT:
		return parse_number("time-limit", optarg, 1, 30 * 86400, &options->limit_s);
	case OPT_ORDER:
		return parse_order(options, optarg);
	case OPT_DRIFT:
		options->has_drift_checks = true;
		return -1;
	case OPT_SEED:
		options->has_seed = true;
		return parse_number("seed", optarg, 0, UINT32_MAX, &options->seed);
	case OPT_WARMUP:
		return parse_number("warmup", optarg, 0, SWEEP_MAX_REPEATS, &options->warmups);
	case OPT_NOTE:
		return parse_note(options, optarg);
	case OPT_COMPARE:
		return add_compare(options, optarg);
	case 'h':
		fputs(help, stdout);
		return UBENCH_EXIT_OK;
	default:
		fputs("see ubench sweep --help\n", stderr);
		return UBENCH_EXIT_USAGE;
	}
}

static bool has_knob(const struct sweep_options *options, enum sweep_knob_kind kind)
{
	size_t k;

	for (k = 0; k < options->n_knobs; k++)
		if (options->knobs[k].kind == kind)
			return true;
	return false;
}

static int check_knobs(const struct sweep_options *options)
{
	if (has_knob(options, SWEEP_KNOB_SIGNAL) && strcasecmp(options->test[0], VERBS_TEST_NAME))
		return complain("sweep", UBENCH_EXIT_USAGE,
				"--knob signal-rate is for " VERBS_TEST_NAME ", not for %s",
				options->test[0]);
	if (options->n_knobs == 2 && !strcmp(options->knobs[0].name, options->knobs[1].name))
		return complain("sweep", UBENCH_EXIT_USAGE, "--knob %s is there twice",
				options->knobs[0].name);
	if (has_knob(options, SWEEP_KNOB_DRIVER) && has_knob(options, SWEEP_KNOB_RATE))
		return complain("sweep", UBENCH_EXIT_USAGE, "--knob driver goes without " KNOB_NAME
				", whose rate \"" SWEEP_UNPATCHED "\" is the other driver");
	if (has_knob(options, SWEEP_KNOB_DRIVER) && !options->hook)
		return complain("sweep", UBENCH_EXIT_USAGE, "--knob driver needs --driver-hook CMD");
	return -1;
}

static int check(const struct sweep_options *options)
{
	static const char *const no_tests[] = { "sweep", "report", "server", NULL };
	int i;

	if (options->resume)
		return -1;
	if (options->until_ci_percent > 0 && options->repeats > options->max_repeats)
		return complain("sweep", UBENCH_EXIT_USAGE, "--repeat is over --max-repeat (%u)",
				options->max_repeats);
	if (!options->iface && (options->hook || sweep_options_change_interface(options)))
		return complain("sweep", UBENCH_EXIT_USAGE, "--iface is missing");
	if (options->n_test == 0)
		return complain(
			"sweep", UBENCH_EXIT_USAGE,
			"no test after \"--\" (for example -- UDP_STREAM -H host -l 5 -- -m 100)");
	for (i = 0; no_tests[i]; i++)
		if (!strcasecmp(options->test[0], no_tests[i]))
			return complain("sweep", UBENCH_EXIT_USAGE, "'%s' is no test",
					options->test[0]);
	i = check_knobs(options);
	if (i >= 0)
		return i;
	if (options->hook && strlen(options->hook) > 500)
		return complain("sweep", UBENCH_EXIT_USAGE,
				"--driver-hook is longer than 500 bytes");
	if (options->hook && strchr(options->hook, '\n'))
		return complain("sweep", UBENCH_EXIT_USAGE, "--driver-hook must be one line");
	return -1;
}

int sweep_options_parse(struct sweep_options *options, int argc, char **argv)
{
	const char *sysfs = getenv("TXSIG_SYSFS");
	int option, ret = -1;

	*options = (struct sweep_options){
		.sysfs_root = sysfs && *sysfs ? sysfs : "/sys",
		.repeats = 3,
		.warmups = 1,
		.max_repeats = 50,
		.limit_s = 3600,
		.notes = json_object(),
	};
	optind = 0; /* GNU: start afresh, main() or a test may have parsed before */
	while (ret < 0 &&
	       (option = getopt_long(argc, argv, "+i:k:r:n:o:h", long_options, NULL)) >= 0)
		ret = parse_one(options, option);
	if (ret >= 0)
		return ret;
	options->test = argv + optind;
	options->n_test = argc - optind;
	if (!options->n_knobs)
		parse_knob(options, KNOB_NAME);
	return check(options);
}

void sweep_options_free(struct sweep_options *options)
{
	json_decref(options->notes);
	options->notes = NULL;
}

bool sweep_options_change_interface(const struct sweep_options *options)
{
	size_t k;

	for (k = 0; k < options->n_knobs; k++)
		if (sweep_knob_is_of_interface(&options->knobs[k]))
			return true;
	return false;
}
