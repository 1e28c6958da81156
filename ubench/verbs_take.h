/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each option of VERBS_UD does with its value, for the rows of its option table. */
#ifndef UBENCH_VERBS_TAKE_H
#define UBENCH_VERBS_TAKE_H

/* Each takes a value into a struct verbs_options: 0, or negative for a bad one. */
int verbs_take_message(void *into, const char *value);
int verbs_take_qps(void *into, const char *value);
int verbs_take_signal_rate(void *into, const char *value);
int verbs_take_post_list(void *into, const char *value);
int verbs_take_send_depth(void *into, const char *value);
int verbs_take_recv_depth(void *into, const char *value);
int verbs_take_inline(void *into, const char *value);
int verbs_take_fault_cq(void *into, const char *value);
int verbs_take_count(void *into, const char *value);
int verbs_take_seconds(void *into, const char *value);
int verbs_take_fault_wr(void *into, const char *value);
int verbs_take_events(void *into, const char *value);
int verbs_take_moderation(void *into, const char *value);
int verbs_take_post_api(void *into, const char *value);
int verbs_take_qkey(void *into, const char *value);
int verbs_take_device(void *into, const char *value);
int verbs_take_port(void *into, const char *value);
int verbs_take_gid_index(void *into, const char *value);
int verbs_take_numa_node(void *into, const char *value);
int verbs_take_cm(void *into, const char *value);
int verbs_take_group(void *into, const char *value);
int verbs_take_peer_device(void *into, const char *value);
int verbs_take_source(void *into, const char *value);
int verbs_take_peer_address(void *into, const char *value);
int verbs_take_receiver(void *into, const char *value);

#endif
