# SPDX-License-Identifier: GPL-2.0-or-later
# libFuzzer targets: tests/fuzz/fuzz_<what>.c includes the shipping files it feeds, or names them in SRCS_fuzz_<what>.

FUZZ_SECONDS ?= 60
FUZZ_JOBS ?= 1
FUZZ_TARGETS := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_CFLAGS := -std=gnu11 -O1 -g -D_GNU_SOURCE -Iubench -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all
FUZZ_LIBS = $(shell pkg-config --libs jansson libsodium numa gsl) -lm

SRCS_fuzz_options := $(addprefix ubench/,addr.c affinity.c cidr.c complain.c fail_if.c knob.c option_table.c parse.c \
	result.c setting.c sweep_knob.c sweep_plan.c) $(wildcard ubench/*options*.c ubench/*_take.c)
SRCS_fuzz_run := $(addprefix ubench/,knob.c report_csv.c report_summary.c runlog.c schema.c sweep_stats.c)

$(BUILD)/fuzz/%: tests/fuzz/%.c
	@mkdir -p $(@D)
	clang $(FUZZ_CFLAGS) -MMD -MP -MF $@.d -o $@ $< $(FUZZ_LIBS)

-include $(wildcard $(BUILD)/fuzz/*.d)

FUZZ_LINKED := $(addprefix $(BUILD)/fuzz/,fuzz_options fuzz_run)
$(BUILD)/fuzz/fuzz_options: $(SRCS_fuzz_options)
$(BUILD)/fuzz/fuzz_run: $(SRCS_fuzz_run)
$(FUZZ_LINKED): $(BUILD)/fuzz/%: tests/fuzz/%.c $(wildcard ubench/*.h)
	@mkdir -p $(@D)
	clang $(FUZZ_CFLAGS) -o $@ $(filter %.c,$^) $(FUZZ_LIBS)

.PHONY: fuzz

## fuzz: feed every parser with what no peer should send, FUZZ_SECONDS (60) each, FUZZ_JOBS (1) at once
fuzz: $(FUZZ_TARGETS)
	@printf '%s\n' $(FUZZ_TARGETS) | xargs -P $(FUZZ_JOBS) -n 1 tests/fuzz/run $(FUZZ_SECONDS)
