# SPDX-License-Identifier: GPL-2.0-or-later
# build/ubench: every ubench/*.c is linked into the one binary; headers are tracked by -MMD.

UBENCH_PKGS := jansson numa gsl smartcols libsodium libseccomp libcap-ng libmnl libibverbs librdmacm
UBENCH_SRCS := $(sort $(wildcard ubench/*.c))
UBENCH_OBJS := $(UBENCH_SRCS:ubench/%.c=$(BUILD)/ubench.o/%.o)
UBENCH_LIBS := $(shell pkg-config --libs $(UBENCH_PKGS)) -lm -pthread
UBENCH_FLAGS := -std=gnu11 -D_GNU_SOURCE -pthread $(shell pkg-config --cflags $(UBENCH_PKGS))

all: $(BUILD)/ubench

$(BUILD)/ubench: $(UBENCH_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) -Wl,--as-needed -o $@ $^ $(UBENCH_LIBS)

$(BUILD)/ubench.o/%.o: ubench/%.c ubench/ubench.mk
	@mkdir -p $(@D)
	$(CC) $(UBENCH_FLAGS) $(CFLAGS) $(WARN) -MMD -MP -c -o $@ $<

-include $(UBENCH_OBJS:.o=.d)

# Unit tests of files whose helpers have the names of those in other files link these instead of including them.
OBJS_test_verbs_protocol := $(addprefix $(BUILD)/ubench.o/,protocol.o protocol_counts.o channel.o secret.o)
OBJS_test_verbs_options := $(addprefix $(BUILD)/ubench.o/,verbs_take.o options.o options_take.o option_table.o parse.o affinity.o fail_if.o result.o)
OBJS_test_verbs_device := $(BUILD)/ubench.o/affinity.o $(BUILD)/ubench.o/verbs_error.o
OBJS_test_verbs_link := $(addprefix $(BUILD)/ubench.o/,addr.o affinity.o channel.o protocol.o protocol_counts.o secret.o \
	verbs_cm.o verbs_device.o verbs_endpoint.o verbs_error.o)
LDLIBS_test_verbs_device := -libverbs
LDLIBS_test_verbs_link := -libverbs -lrdmacm
LDLIBS_test_verbs_error := -libverbs
LDLIBS_test_verbs_counters := -libverbs
$(BUILD)/tests/test_verbs_protocol: $(OBJS_test_verbs_protocol)
$(BUILD)/tests/test_verbs_options: $(OBJS_test_verbs_options)
$(BUILD)/tests/test_verbs_device: $(OBJS_test_verbs_device)
$(BUILD)/tests/test_verbs_link: $(OBJS_test_verbs_link)
