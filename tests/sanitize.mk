# SPDX-License-Identifier: GPL-2.0-or-later
# The end-to-end tests of ubench over sockets, with a sanitizer in ubench; unit tests and fuzzers have theirs always.

SANITIZE_asan := address,undefined
SANITIZE_tsan := thread
# A thread in a blocking call stops within milliseconds, but not within those that a sanitizer adds to each.
SANITIZE_ENV := ASAN_OPTIONS=abort_on_error=1 UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1 \
	TSAN_OPTIONS=halt_on_error=1:abort_on_error=1
# Not with a sanitizer: the system calls that it makes are not the sandbox's to allow, and it finds no leaks under strace.
SANITIZE_TESTS := $(filter-out server-gives-up-privileges ubench-unsupported-is-told udp-send-only,$(patsubst tests/e2e/%.sh,%,$(wildcard \
	tests/e2e/server-*.sh tests/e2e/tcp-*.sh tests/e2e/ubench-*.sh tests/e2e/udp-*.sh)))
# What the threads do at both ends, in a minute.
SANITIZE_TESTS_tsan := server-resumes-a-cut-connection ubench-both-directions udp-counts-every-packet udp-interrupt \
	udp-request-response udp-ways-to-send udp-zerocopy-and-gro

.PHONY: check-asan check-tsan
## check-asan, check-tsan: ubench's end-to-end tests with address and undefined-behaviour, or with thread sanitizer
check-asan check-tsan: check-%san: deps
	@$(MAKE) --no-print-directory -j"$$(nproc)" BUILD=$(BUILD)/$*san LDFLAGS= \
		CFLAGS="-O1 -g -fno-omit-frame-pointer -fsanitize=$(SANITIZE_$*san)" $(BUILD)/$*san/ubench
	@$(SANITIZE_ENV) UBENCH=$(CURDIR)/$(BUILD)/$*san/ubench UBENCH_SERVER_OPTIONS=--no-sandbox \
		tests/run e2e -- $(or $(SANITIZE_TESTS_$*san),$(SANITIZE_TESTS))
