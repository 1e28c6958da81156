/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of a test's options into struct options; each as struct option_row's take(). Pure. */
#ifndef UBENCH_OPTIONS_TAKE_H
#define UBENCH_OPTIONS_TAKE_H

int options_take_host(void *opt, const char *value);
int options_take_ipv4(void *opt, const char *value);
int options_take_ipv6(void *opt, const char *value);
int options_take_port(void *opt, const char *value);
int options_take_limit(void *opt, const char *value);
int options_take_interval(void *opt, const char *value);
int options_take_headers(void *opt, const char *value);
int options_take_cpus(void *opt, const char *value);
int options_take_send_only(void *opt, const char *value);
int options_take_bidir(void *opt, const char *value);
int options_take_flows(void *opt, const char *value);
int options_take_iterations(void *opt, const char *value);
int options_take_confidence(void *opt, const char *value);
int options_take_cpu_figures(void *opt, const char *value);
int options_take_delay(void *opt, const char *value);
int options_take_omit(void *opt, const char *value);
int options_take_batch(void *opt, const char *value);
int options_take_gso(void *opt, const char *value);
int options_take_zerocopy(void *opt, const char *value);
int options_take_gro(void *opt, const char *value);
int options_take_pps(void *opt, const char *value);
int options_take_rate(void *opt, const char *value);
int options_take_df(void *opt, const char *value);
int options_take_ttl(void *opt, const char *value);
int options_take_receiver(void *opt, const char *value);
int options_take_key_file(void *opt, const char *value);
int options_take_json(void *opt, const char *value);
int options_take_json_stream(void *opt, const char *value);
int options_take_csv(void *opt, const char *value);
int options_take_output(void *opt, const char *value);
int options_take_fail_if(void *opt, const char *value);
int options_take_dry_run(void *opt, const char *value);
int options_take_message(void *opt, const char *value);
int options_take_pair(void *opt, const char *value);
int options_take_local_buffer(void *opt, const char *value);
int options_take_remote_buffer(void *opt, const char *value);
int options_take_data_host(void *opt, const char *value);
int options_take_keywords(void *opt, const char *value);
int options_take_data_port(void *opt, const char *value);

#endif
