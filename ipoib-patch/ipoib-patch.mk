# SPDX-License-Identifier: GPL-2.0-or-later
# The header with the series' pure logic, taken out of the patches for the unit test that includes it as it ships.

TX_SIGNAL_H := drivers/infiniband/ulp/ipoib/ipoib_tx_signal.h
CFLAGS_test_ipoib_tx_signal = -I$(BUILD)/ipoib-patch

$(BUILD)/ipoib-patch/ipoib_tx_signal.h: ipoib-patch/apply.sh $(wildcard ipoib-patch/linux-6.1/*.patch)
	@mkdir -p $(@D)
	ipoib-patch/apply.sh --print $(TX_SIGNAL_H) --version 6.1 >$@

$(BUILD)/tests/test_ipoib_tx_signal: $(BUILD)/ipoib-patch/ipoib_tx_signal.h
