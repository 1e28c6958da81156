# SPDX-License-Identifier: GPL-2.0-or-later
# Unit tests include the shipping file they test; they are always built with the address and undefined-behaviour sanitizers.

TEST_CFLAGS := -std=gnu11 -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all \
	$(filter-out -Wmissing-prototypes,$(WARN)) -D_GNU_SOURCE -Itests/unit/shim -Iubench
TEST_LIBS = -lcmocka $(shell pkg-config --libs jansson numa gsl smartcols libsodium libmnl 2>/dev/null) -lpthread -lm
UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_*.c))

# A test names further objects or libraries with OBJS_<test> and LDLIBS_<test>.
$(BUILD)/tests/%: tests/unit/%.c
	@mkdir -p $(@D)
	$(CC) $(TEST_CFLAGS) $(CFLAGS_$*) -MMD -MP -MF $@.d -o $@ $< $(OBJS_$*) $(LDLIBS_$*) $(TEST_LIBS)

-include $(wildcard $(BUILD)/tests/*.d)

.PHONY: check check-unit check-e2e check-lab check-lint check-sanitizers unit-tests
unit-tests: $(UNIT_TESTS)

## check: install what is missing, build, and run every test: unit, end to end, in the lab, and the linters
check: deps
	@$(MAKE) --no-print-directory -j"$$(nproc)" all unit-tests
	@tests/run

## check-sanitizers: the lab tests on user-mode Linux with KASAN, lockdep and kmemleak, which it builds when it is missing
## check-unit, check-e2e, check-lab, check-lint: one part of it
check-unit check-e2e check-lab check-lint check-sanitizers: check-%: deps
	@$(MAKE) --no-print-directory -j"$$(nproc)" all unit-tests
	@tests/run $*
