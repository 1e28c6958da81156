# SPDX-License-Identifier: GPL-2.0-or-later

BENCH_ROUNDS ?= 7
BENCH_SECONDS ?= 1

$(BUILD)/bench/bare: tests/bench/bare.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(WARN) -std=gnu11 -D_GNU_SOURCE -o $@ $<

.PHONY: bench
## bench: ubench's sending rate against a bare loop and against its peers, on loopback and veth (BENCH_ROUNDS, BENCH_SECONDS)
bench: all $(BUILD)/bench/bare
	@tests/bench/run $(BENCH_ROUNDS) $(BENCH_SECONDS)
