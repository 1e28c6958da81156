// SPDX-License-Identifier: GPL-2.0-or-later
/* Ports that cannot be used are refused with one line that says why; no device is opened here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../ubench/verbs_device.c"

static struct ibv_device hardware = { .name = "dev0", .transport_type = IBV_TRANSPORT_IB };
static struct ibv_context context = { .device = &hardware };

static struct verbs_device port(uint8_t link_layer, enum ibv_port_state state)
{
	hardware.transport_type = IBV_TRANSPORT_IB;
	return (struct verbs_device){
		.ctx = &context, .port = 1, .numa_node = -1,
		.port_attr = { .link_layer = link_layer, .state = state, .active_mtu = IBV_MTU_2048 },
	};
}

static void test_active_port_of_either_link_layer_is_taken(void **state)
{
	struct verbs_device ib = port(IBV_LINK_LAYER_INFINIBAND, IBV_PORT_ACTIVE);
	struct verbs_device roce = port(IBV_LINK_LAYER_ETHERNET, IBV_PORT_ACTIVE);
	struct result_error err = { 0 };

	(void)state;
	assert_int_equal(check_port(&ib, &err), 0);
	assert_int_equal(check_port(&roce, &err), 0);
	assert_string_equal(verbs_device_link_layer(&ib), "InfiniBand");
	assert_string_equal(verbs_device_link_layer(&roce), "Ethernet");
	assert_int_equal(verbs_device_mtu_bytes(&ib), 2048);
}

static void test_iwarp_is_refused_although_its_link_layer_is_ethernet(void **state)
{
	struct verbs_device d = port(IBV_LINK_LAYER_ETHERNET, IBV_PORT_ACTIVE);
	struct result_error err = { 0 };

	(void)state;
	hardware.transport_type = IBV_TRANSPORT_IWARP;
	assert_int_equal(check_port(&d, &err), -EIO);
	assert_int_equal(err.code, UBENCH_EXIT_UNSUPPORTED);
	assert_string_equal(err.message,
			    "device dev0 is iWARP, which has no UD queue pairs; choose one of InfiniBand or RoCE (-d)");
}

static void test_port_that_is_down_is_told_by_what_its_link_layer_needs(void **state)
{
	struct verbs_device ib = port(IBV_LINK_LAYER_INFINIBAND, IBV_PORT_INIT);
	struct verbs_device roce = port(IBV_LINK_LAYER_ETHERNET, IBV_PORT_DOWN);
	struct result_error err = { 0 }, other = { 0 };

	(void)state;
	assert_int_equal(check_port(&ib, &err), -EIO);
	assert_non_null(strstr(err.message, "is a subnet manager running?"));
	assert_int_equal(check_port(&roce, &other), -EIO);
	assert_non_null(strstr(other.message, "set its network interface up"));
}

static void test_ipv4_address_is_found_as_a_mapped_gid(void **state)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x0a010002) };
	static const uint8_t mapped[16] = { [10] = 0xff, [11] = 0xff, 10, 1, 0, 2 };
	struct sockaddr other = { .sa_family = AF_UNIX };
	union ibv_gid gid;

	(void)state;
	assert_true(gid_of_address((const struct sockaddr *)&v4, &gid));
	assert_memory_equal(gid.raw, mapped, sizeof(mapped));
	assert_false(gid_of_address(&other, &gid));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_active_port_of_either_link_layer_is_taken),
		cmocka_unit_test(test_iwarp_is_refused_although_its_link_layer_is_ethernet),
		cmocka_unit_test(test_port_that_is_down_is_told_by_what_its_link_layer_needs),
		cmocka_unit_test(test_ipv4_address_is_found_as_a_mapped_gid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
