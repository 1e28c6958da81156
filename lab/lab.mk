# SPDX-License-Identifier: GPL-2.0-or-later
# The main job in the lab, the two programs that run commands in a guest that stays, and the one that makes allocations fail.

all: $(BUILD)/lab-agent $(BUILD)/lab-call $(BUILD)/lab-fail-nth

# Static: they run in the guest's bare initramfs.
$(BUILD)/lab-agent $(BUILD)/lab-fail-nth: LAB_LINK := -static
$(BUILD)/lab-fail-nth: lab/uml/fail-nth.c
$(BUILD)/lab-agent: lab/agent/agent.c
$(BUILD)/lab-call: lab/agent/call.c
$(BUILD)/lab-agent $(BUILD)/lab-call: lab/agent/frame.c lab/agent/frame.h
$(BUILD)/lab-agent $(BUILD)/lab-call $(BUILD)/lab-fail-nth: lab/lab.mk
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE $(CFLAGS) $(WARN) $(LDFLAGS) $(LAB_LINK) -o $@ $(filter %.c,$^)

# What `make sweep` measures: make sweep RATES=1,32 SECS=10 REPEAT=5 KERNEL=6.12 COMPARE=results/reference/ipoib-tx-signal-2006
RATES ?= unpatched,1,4,8,16,32
SECS ?= 5
REPEAT ?= 3
KERNEL ?= 6.1
# EXACT=1: virtual time; SEEDS boots, PACKETS a point, COST=irq:cqe:doorbell in nanoseconds.
SEEDS ?= 3
PACKETS ?= 60000

.PHONY: sweep lab-modules
## sweep: the main job: sweep tx_signal_rate over the real IPoIB in the lab guest (EXACT=1: in virtual time)
sweep: deps
	@$(MAKE) --no-print-directory -j"$$(nproc)" all
	@lab/lab sweep --kernel $(KERNEL) --rates $(RATES) $(if $(COMPARE),--compare $(COMPARE)) \
		$(if $(filter-out 0,$(EXACT)),--exact --seeds $(SEEDS) --packets $(PACKETS) $(if $(COST),--cost $(COST)), \
			--seconds $(SECS) --repeat $(REPEAT))

## lab-modules: build softib and both IPoIB drivers for the guest kernel
lab-modules: deps
	@lab/lab build --kernel $(KERNEL)
