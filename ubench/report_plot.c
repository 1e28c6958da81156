// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs gnuplot on a script of ours and takes its SVG into a page. */
#include "report_plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report_plot_script.h"

static const char *const captions[PLOTS] = {
	[PLOT_PPS] = "Packets per second at the sender and at the receiver: means and 95 % intervals",
	[PLOT_RATIO] = "Sender rate relative to the baseline, paired by round, with 95 % intervals",
	[PLOT_LOSS] = "Lost packets in percent of those sent: means and 95 % intervals",
	[PLOT_NS] = "Sender time per packet in nanoseconds: means and 95 % intervals",
	[PLOT_COMPLETIONS] = "Send completions and completion events per packet, beside 1/rate",
	[PLOT_CPU] = "CPU time of the sending and of the receiving host per packet, in microseconds",
	[PLOT_LOST_WHERE] = "Where packets were lost, in percent of those sent",
	[PLOT_TIME] = "Interim results of the median repeat of each point over time",
};

const char *report_plot_caption(enum plot plot)
{
	return captions[plot];
}

/* gnuplot gives every drawing the same ids; in one page each needs its own. */
static void copy_line(FILE *out, const char *line, enum plot plot, size_t number)
{
	static const char *const ids[] = { "gpDot", "gpPt", "gnuplot_", "textbox", "greybox" };
	size_t i;

	while (*line) {
		for (i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
			if (!strncmp(line, ids[i], strlen(ids[i])))
				fprintf(out, "p%zu", (size_t)plot + number * PLOTS);
		fputc(*line++, out);
	}
}

/* Leaves out the XML head, and gnuplot's title and version, which are no one's figures. */
static bool is_wanted(const char *line)
{
	return strncmp(line, "<?xml", 5) && strncmp(line, "<title>", 7) &&
	       strncmp(line, "<desc>", 6);
}

static int copy_svg(FILE *out, FILE *svg, enum plot plot, size_t number)
{
	char *line = NULL;
	size_t line_len = 0;
	bool any = false;

	while (getline(&line, &line_len, svg) > 0) {
		if (!is_wanted(line))
			continue;
		if (!strncmp(line, "<svg", 4)) {
			fprintf(out, "<svg role=\"img\" aria-label=\"%s\"\n", captions[plot]);
			any = true;
			continue;
		}
		copy_line(out, line, plot, number);
	}
	free(line);
	return any ? 0 : -EIO;
}

static int run_gnuplot(FILE *out, const char *script, enum plot plot, size_t number)
{
	char command[128];
	int status, err;
	FILE *svg;

	snprintf(command, sizeof(command), "exec gnuplot '%s' 2>&1", script);
	svg = popen(command, "re");
	if (!svg)
		return -errno;
	err = copy_svg(out, svg, plot, number);
	status = pclose(svg);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return -ENOENT;
	return status ? -EIO : err;
}

int report_plot_svg(FILE *out, enum plot plot, size_t number, const struct summary *runs,
		    const struct findings *findings, size_t n_runs)
{
	char path[] = "/tmp/ubench-plot.XXXXXX";
	int err = 0, fd = mkstemp(path);
	FILE *script;

	if (fd < 0)
		return -errno;
	script = fdopen(fd, "w");
	if (!script) {
		close(fd);
		unlink(path);
		return -ENOMEM;
	}
	plot_script(script, plot, runs, findings, n_runs);
	if (fclose(script))
		err = -EIO;
	if (!err)
		err = run_gnuplot(out, path, plot, number);
	unlink(path);
	return err;
}
