// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads a module, or writes a word to a file, with the kernel's Nth allocation in that system call failing, so that a loop
 * over N pulls every error path that an allocation has.
 *
 * usage: fail-nth N insmod MODULE [PARAMETERS]
 *        fail-nth N write FILE WORD
 * Exit: 0 done, and nothing failed because it makes fewer than N allocations; 1 refused, as it should when one fails;
 * 3 done though an allocation failed; 2 usage or no fault injection.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int give_up(const char *what)
{
	fprintf(stderr, "fail-nth: %s: %s\n", what, strerror(errno));
	return 2;
}

/* Arms the fault, or disarms it and says whether it struck: 1, 0, or -1 without fault injection. */
static int fault_arm(int fd, const char *nth)
{
	return write(fd, nth, strlen(nth)) < 0 ? -1 : 0;
}

static int fault_struck(int fd)
{
	char left[16] = "";

	if (pread(fd, left, sizeof(left) - 1, 0) < 0 || fault_arm(fd, "0"))
		return -1;
	return atoi(left) == 0;
}

int main(int argc, char **argv)
{
	int is_insmod = argc >= 4 && strcmp(argv[2], "insmod") == 0;
	int is_write = argc == 5 && strcmp(argv[2], "write") == 0;
	int target, fault, struck;
	long result;

	if (!is_insmod && !is_write) {
		fprintf(stderr, "usage: fail-nth N insmod MODULE [PARAMETERS] | fail-nth N write FILE WORD\n");
		return 2;
	}
	target = open(argv[3], is_insmod ? O_RDONLY : O_WRONLY);
	if (target < 0)
		return give_up(argv[3]);
	fault = open("/proc/thread-self/fail-nth", O_RDWR);
	if (fault < 0 || fault_arm(fault, argv[1]))
		return give_up("fail-nth");
	if (is_insmod)
		result = syscall(SYS_finit_module, target, argc > 4 ? argv[4] : "", 0);
	else
		result = write(target, argv[4], strlen(argv[4]));
	struck = fault_struck(fault);
	if (struck < 0)
		return give_up("fail-nth");
	if (result < 0)
		return 1;
	return struck ? 3 : 0;
}
