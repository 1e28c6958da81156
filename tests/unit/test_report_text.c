// SPDX-License-Identifier: GPL-2.0-or-later
/* Text output: netperf's columns to the byte, interim lines that its readers understand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <regex.h>

#include "../../ubench/event_stream.c"
#include "../../ubench/interim.c"
#include "../../ubench/keywords.c"
#include "../../ubench/result_json.c"
#include "../../ubench/report_text.c"
#include "../../ubench/result.c"

static char *render(const struct ubench_result *r, int headers)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	report_text_udp(f, r, headers);
	fclose(f);
	return text;
}

/* The figures of a real netperf 2.7 run give netperf's lines. */
static void test_table_has_netperfs_columns(void **state)
{
	struct ubench_result r;
	char *text;

	(void)state;
	result_init(&r, "UDP_STREAM");
	r.send_socket_bytes = r.recv_socket_bytes = 212992;
	r.message_bytes = 100;
	r.sent = (struct result_sent){ 2.0, 34155300, 341553, 0 };
	r.received = (struct result_received){ .is_known = true, .seconds = 2.0,
		.bytes = 33666500, .packets = 336665, .lost_packets = 4888, .jitter_ms = NAN };
	text = render(&r, 0);
	assert_string_equal(text,
		"212992     100   2.00       341553      0     136.62\n"
		"212992           2.00       336665            134.67\n\n"
		"PPS=170776 RX_PPS=168332 LOSS=1.431\n");
	free(text);
	text = render(&r, 1);
	assert_non_null(strstr(text, "bytes   bytes    secs            #      #   10^6bits/sec\n"));
	free(text);
	result_free(&r);
}

static void test_unknown_receiver_is_a_dash(void **state)
{
	struct ubench_result r;
	char *text;

	(void)state;
	result_init(&r, "UDP_STREAM");
	r.sent = (struct result_sent){ 0, 0, 0, 0 };
	text = render(&r, 0);
	assert_non_null(strstr(text, "\nPPS=0 RX_PPS=- LOSS=-\n"));
	free(text);
	result_free(&r);
}

/* The expression that flent documents for netperf's demo mode. */
static void test_interim_line_matches_flents_expression(void **state)
{
	static const char flent[] = "^Interim result: +([0-9]+\\.[0-9]+) 10\\^6bits/s over "
				    "([0-9]+\\.[0-9]+) seconds ending at ([0-9]+\\.[0-9]+)\\.?$";
	const struct result_sent totals = { 0, 18001250, 180012, 0 };
	struct ubench_result r;
	struct interim in = { .result = &r, .interval_ns = NSEC_PER_SEC };
	char *text = NULL;
	size_t len;
	regex_t re;

	(void)state;
	result_init(&r, "UDP_STREAM");
	in.out = open_memstream(&text, &len);
	interim_row(&in, NSEC_PER_SEC, &totals, NULL);
	interim_row(&in, 2 * NSEC_PER_SEC, &totals, NULL);
	interim_end(&in, 2 * NSEC_PER_SEC + NSEC_PER_MSEC, &totals);
	fclose(in.out);
	assert_int_equal(regcomp(&re, flent, REG_EXTENDED | REG_NEWLINE), 0);
	assert_int_equal(regexec(&re, text, 0, NULL, 0), 0);
	assert_non_null(strstr(text, "Interim result:  144.01 10^6bits/s over 1.000 seconds"));
	assert_int_equal(r.n_intervals, 2);
	assert_int_equal(r.intervals[1].packets, 0);
	assert_true(r.intervals[1].start_seconds == 1.0);
	regfree(&re);
	free(text);
	result_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_has_netperfs_columns),
		cmocka_unit_test(test_unknown_receiver_is_a_dash),
		cmocka_unit_test(test_interim_line_matches_flents_expression),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
