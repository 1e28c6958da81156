# SPDX-License-Identifier: GPL-2.0-or-later
# The pure parts of the series, taken out of the patches for the unit tests that include them as they ship.

IPOIB_DIR := drivers/infiniband/ulp/ipoib
CFLAGS_test_ipoib_tx_signal = -I$(BUILD)/ipoib-patch
CFLAGS_test_ipoib_tx_ring = -I$(BUILD)/ipoib-patch

$(BUILD)/ipoib-patch/%: ipoib-patch/apply.sh $(wildcard ipoib-patch/linux-6.1/*.patch)
	@mkdir -p $(@D)
	ipoib-patch/apply.sh --print $(IPOIB_DIR)/$* --version 6.1 >$@

$(BUILD)/tests/test_ipoib_tx_signal $(BUILD)/tests/test_ipoib_tx_ring: \
	$(BUILD)/ipoib-patch/ipoib_tx_signal.h $(BUILD)/ipoib-patch/ipoib_tx_ring.c

.PHONY: check-series mutation soak dkms dkms-remove
## check-series: build every step of the series on both kernels with W=1 and sparse (ten CPU minutes, then cached)
check-series:
	tests/check-series

## mutation: take each safeguard out of the series and see a test fail (builds and boots, 15 minutes)
mutation: all
	tests/mutation.sh --lab

## soak: ten minutes of random knob changes, link flaps and traffic both ways (SOAK_SECONDS=600)
SOAK_SECONDS ?= 600
soak: all
	TXSIG_SOAK_SECONDS=$(SOAK_SECONDS) tests/run lab -- ipoib-random-run
	@sed -n 's/^txsig-test: //p' build/lab/logs-*/job-ipoib-random-run.log

## dkms: install ib_ipoib with the series through DKMS for the running Debian kernel (or RELEASE=...)
dkms:
	ipoib-patch/dkms/install.sh $(RELEASE)

## dkms-remove: undo it
dkms-remove:
	ipoib-patch/dkms/install.sh --remove
