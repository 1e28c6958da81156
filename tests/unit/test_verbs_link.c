// SPDX-License-Identifier: GPL-2.0-or-later
/* What the two ends of a run must agree on before a packet leaves; no device is opened here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/verbs_link.c"

static struct ibv_device hardware = { .name = "dev0" };
static struct ibv_context context = { .device = &hardware };

static struct verbs_link link_over(uint8_t link_layer)
{
	return (struct verbs_link){
		.dev = { .ctx = &context, .port_attr = { .link_layer = link_layer } },
		.config = { .n_qps = 2, .buffer_bytes = 1024 },
	};
}

static void test_ends_of_two_link_layers_are_refused_both_named(void **state)
{
	struct verbs_link ib = link_over(IBV_LINK_LAYER_INFINIBAND);
	struct verbs_link roce = link_over(IBV_LINK_LAYER_ETHERNET);
	struct verbs_setup setup = { .is_ethernet = true, .mtu_bytes = 4096, .n_qps = 2 };
	struct result_error err = { 0 }, other = { 0 };

	(void)state;
	assert_int_equal(check_peer(&roce, &setup, &err), 0);
	assert_int_equal(check_peer(&ib, &setup, &err), -EIO);
	assert_string_equal(err.message,
			    "dev0 is InfiniBand, the peer's device is Ethernet; choose other ones (-d, --peer-device)");
	setup.is_ethernet = false;
	assert_int_equal(check_peer(&roce, &setup, &other), -EIO);
	assert_non_null(strstr(other.message, "dev0 is Ethernet, the peer's device is InfiniBand"));
}

static void test_message_over_the_peers_mtu_is_refused(void **state)
{
	struct verbs_link link = link_over(IBV_LINK_LAYER_INFINIBAND);
	struct verbs_setup setup = { .mtu_bytes = 512, .n_qps = 2 };
	struct result_error err = { 0 };

	(void)state;
	assert_int_equal(check_peer(&link, &setup, &err), -EIO);
	assert_non_null(strstr(err.message, "take at most -s 512"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends_of_two_link_layers_are_refused_both_named),
		cmocka_unit_test(test_message_over_the_peers_mtu_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
