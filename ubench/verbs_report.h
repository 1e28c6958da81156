/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A VERBS_UD run in figures: the account of its packets, its JSON object, its table. */
#ifndef UBENCH_VERBS_REPORT_H
#define UBENCH_VERBS_REPORT_H

#include <stdint.h>
#include <stdio.h>

struct json_t;
struct ubench_result;
struct verbs_async;
struct verbs_link;
struct verbs_options;
struct verbs_outcome;
struct verbs_sender;

/*
 * Fill r->streams[].received, r->sent, r->received and r->loss from the
 * streams' sent and the outcome of one receiver: of a group's, the one that
 * lost most, so that sent = received + lost holds for what is shown.
 */
void verbs_report_account(struct ubench_result *r, const struct verbs_outcome *outcome);

/* Index of the outcome with most lost packets. */
unsigned int verbs_report_worst(const struct verbs_outcome *outcomes, unsigned int n);

/* The knobs as they were in force, and what the sender did with them: "end.verbs", a new reference. */
struct json_t *verbs_report_sender(const struct verbs_options *opt, const struct verbs_link *link,
				   const struct verbs_sender *sender, const struct verbs_async *async);

/* One member of "end.verbs.receivers", a new reference. */
struct json_t *verbs_report_receiver(const char *host, const struct verbs_outcome *outcome);

/* The table, then PPS=<sender> RX_PPS=<receiver> LOSS=<percent>, as for UDP_STREAM. */
void verbs_report_text(FILE *out, const struct ubench_result *r, int print_headers);

#endif
