# SPDX-License-Identifier: GPL-2.0-or-later
# The schema of results is part of the binary that checks them.

$(BUILD)/ubench.o/schema.o: results/run.schema.json
