# SPDX-License-Identifier: GPL-2.0-or-later
# txsig: `make` builds the userspace tools, `make sweep` runs the main job in the lab, `make check` runs every test.

BUILD := build
CC ?= gcc
CFLAGS ?= -O2 -g
WARN := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wformat=2 -Wvla -Werror

.DELETE_ON_ERROR:
.PHONY: all clean deps help
all:

include $(wildcard */*.mk)

## deps: install the Debian packages of packages.txt that are missing (needs root)
deps:
	@lab/deps.sh

## clean: remove build/ (the cache outside the clone stays)
clean:
	rm -rf $(BUILD)

## help: list the targets
help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)
