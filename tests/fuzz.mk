# SPDX-License-Identifier: GPL-2.0-or-later
# libFuzzer targets: tests/fuzz/fuzz_<what>.c includes the shipping files it feeds.

FUZZ_SECONDS ?= 60
FUZZ_TARGETS := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_CFLAGS := -std=gnu11 -O1 -g -D_GNU_SOURCE -Iubench -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all
FUZZ_LIBS = $(shell pkg-config --libs jansson libsodium) -lm

$(BUILD)/fuzz/%: tests/fuzz/%.c
	@mkdir -p $(@D)
	clang $(FUZZ_CFLAGS) -MMD -MP -MF $@.d -o $@ $< $(FUZZ_LIBS)

-include $(wildcard $(BUILD)/fuzz/*.d)

.PHONY: fuzz
## fuzz: feed every parser with what no peer should send, FUZZ_SECONDS (60) each
fuzz: $(FUZZ_TARGETS)
	@set -e; for target in $(FUZZ_TARGETS); do \
		name=$$(basename $$target); \
		mkdir -p $(BUILD)/fuzz/corpus/$$name; \
		log=$(BUILD)/fuzz/$$name.log; \
		$$target -max_total_time=$(FUZZ_SECONDS) -rss_limit_mb=1024 -timeout=5 -print_final_stats=1 \
			-artifact_prefix=$(BUILD)/fuzz/$$name- $(BUILD)/fuzz/corpus/$$name \
			$$([ ! -d tests/fuzz/seeds/$$name ] || echo tests/fuzz/seeds/$$name) >$$log 2>&1 || \
			{ tail -n 40 $$log; echo "$$name: a finding, see $$log"; exit 1; }; \
		echo "$$name: $$(sed -n 's/^stat::number_of_executed_units: *//p' $$log) inputs, no finding"; \
	done
