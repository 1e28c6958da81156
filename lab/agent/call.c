// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The host's end of `lab/lab run` and `lab/lab shell`: has the agent of a running guest run a command, and is that command
 * for whoever started it: input, output, exit code, signals, terminal.
 *
 * usage: lab-call [-t] CHANNELS COMMAND
 *   -t        on a terminal in the guest, with this terminal handed through
 *   CHANNELS  directory with the sockets call.0, call.1, ...; the first that nobody uses is taken
 * Exit: the command's own code; 125 when no agent answers, 126 when the guest went while the command ran.
 */
#include "frame.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define ANSWER_SECONDS 30
#define NO_ANSWER 125
#define GONE 126

struct call {
	int socket;
	bool tty, wanted, input_over;
	int code; /* -1: the command runs */
	struct frame_parser parser;
};

static struct termios terminal_before;
static bool terminal_is_raw;
static volatile sig_atomic_t signal_caught, window_changed;

static void terminal_restore(void)
{
	if (terminal_is_raw)
		tcsetattr(STDIN_FILENO, TCSAFLUSH, &terminal_before);
	terminal_is_raw = false;
}

static void terminal_raw(void)
{
	struct termios raw;

	if (tcgetattr(STDIN_FILENO, &terminal_before))
		return;
	raw = terminal_before;
	cfmakeraw(&raw);
	terminal_is_raw = tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
	atexit(terminal_restore);
}

static void terminal_window(uint8_t window[4])
{
	struct winsize size;

	if (ioctl(STDIN_FILENO, TIOCGWINSZ, &size))
		size = (struct winsize){ .ws_row = 24, .ws_col = 80 };
	window[0] = size.ws_row;
	window[1] = size.ws_row >> 8;
	window[2] = size.ws_col;
	window[3] = size.ws_col >> 8;
}

static void on_signal(int number)
{
	if (number == SIGWINCH)
		window_changed = 1;
	else
		signal_caught = number;
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaction(numbers[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* Connects to one channel that nobody else uses. Returns a socket, or -EBUSY or another -errno. */
static int channel_open(int number)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char lock_name[32];
	int lock, fd, err;

	snprintf(lock_name, sizeof(lock_name), "call.%d.lock", number);
	snprintf(address.sun_path, sizeof(address.sun_path), "call.%d", number);
	if (access(address.sun_path, F_OK))
		return -errno;
	lock = open(lock_name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (lock < 0)
		return -errno;
	/* Held until this process ends. */
	if (flock(lock, LOCK_EX | LOCK_NB)) {
		close(lock);
		return -EBUSY;
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	err = -errno;
	if (fd >= 0)
		close(fd);
	close(lock);
	return err;
}

static int channel_first_free(const char *dir)
{
	int number, fd = -ENOENT;
	bool busy = false;

	/* A socket's address is short, a directory's name need not be. */
	if (chdir(dir))
		return -errno;
	for (number = 0; number < 100; number++) {
		fd = channel_open(number);
		if (fd >= 0 || fd == -ENOENT)
			break;
		busy = busy || fd == -EBUSY;
	}
	return fd < 0 && busy ? -EBUSY : fd;
}

/* Waits for the agent's answer to this session; all that comes before it is of an earlier one. Returns 0 or -errno. */
static int session_open(struct call *call)
{
	uint8_t expected[FRAME_HEADER + FRAME_TOKEN] = { FRAME_READY, FRAME_TOKEN };
	uint8_t *token = expected + FRAME_HEADER;
	struct pollfd ready = { .fd = call->socket, .events = POLLIN };
	time_t limit = time(NULL) + ANSWER_SECONDS;
	size_t seen = 0;

	if (getrandom(token, FRAME_TOKEN, 0) != FRAME_TOKEN || frame_fill(call->socket) ||
	    frame_send(call->socket, FRAME_HELLO, token, FRAME_TOKEN))
		return -EIO;
	while (seen < sizeof(expected)) {
		uint8_t byte;

		if (time(NULL) >= limit || signal_caught)
			return -ETIMEDOUT;
		if (poll(&ready, 1, 1000) <= 0)
			continue;
		if (read(call->socket, &byte, 1) != 1)
			return -EPIPE;
		if (byte != expected[seen])
			seen = 0;
		if (byte == expected[seen])
			seen++;
	}
	return 0;
}

static int session_run(struct call *call, const char *command)
{
	uint8_t payload[FRAME_PAYLOAD];
	size_t at = call->tty ? 4 : 0, len = strlen(command);

	if (at + len + 1 > sizeof(payload))
		return -E2BIG;
	if (call->tty)
		terminal_window(payload);
	memcpy(payload + at, command, len);
	payload[at + len] = '\n';
	return frame_send(call->socket, call->tty ? FRAME_RUN_TTY : FRAME_RUN, payload, at + len + 1);
}

static int write_all(int fd, const uint8_t *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno != EINTR)
			return -errno;
		data += n > 0 ? n : 0;
		len -= n > 0 ? n : 0;
	}
	return 0;
}

/* Nobody who reads the output is as if the command had been told so. */
static int call_frame(void *context, enum frame_type type, const uint8_t *payload, size_t len)
{
	struct call *call = context;

	if (type == FRAME_STDOUT && write_all(STDOUT_FILENO, payload, len))
		call->code = 128 + SIGPIPE;
	else if (type == FRAME_STDERR && write_all(STDERR_FILENO, payload, len))
		call->code = 128 + SIGPIPE;
	else if (type == FRAME_WANT)
		call->wanted = true;
	else if (type == FRAME_EXIT && len == 1)
		call->code = payload[0];
	return 0;
}

static void call_receive(struct call *call)
{
	uint8_t data[FRAME_PAYLOAD];
	ssize_t n = read(call->socket, data, sizeof(data));

	if (n < 0 && errno == EINTR)
		return;
	if (n <= 0 || frame_feed(&call->parser, data, n, call_frame, call)) {
		fprintf(stderr, "lab: the guest went while the command ran\r\n");
		call->code = GONE;
	}
}

static void call_send_input(struct call *call)
{
	uint8_t data[FRAME_INPUT];
	ssize_t n = read(STDIN_FILENO, data, sizeof(data));

	if (n < 0 && errno == EINTR)
		return;
	call->wanted = false;
	call->input_over = n <= 0;
	frame_send(call->socket, FRAME_STDIN, data, n > 0 ? n : 0);
}

static void call_send_signals(struct call *call)
{
	if (window_changed && call->tty) {
		uint8_t window[4];

		window_changed = 0;
		terminal_window(window);
		frame_send(call->socket, FRAME_WINDOW, window, sizeof(window));
	}
	if (signal_caught) {
		uint8_t number = signal_caught;

		signal_caught = 0;
		frame_send(call->socket, FRAME_SIGNAL, &number, 1);
	}
}

/* Until the command has ended; returns its exit code. */
static int call_serve(struct call *call)
{
	while (call->code < 0) {
		struct pollfd fds[] = {
			{ .fd = call->socket, .events = POLLIN },
			{ .fd = call->wanted && !call->input_over ? STDIN_FILENO : -1, .events = POLLIN },
		};

		call_send_signals(call);
		if (poll(fds, 2, 500) <= 0)
			continue;
		if (fds[0].revents)
			call_receive(call);
		if (fds[1].revents)
			call_send_input(call);
	}
	return call->code;
}

static int give_up(const char *what)
{
	fprintf(stderr, "lab: %s\n", what);
	return NO_ANSWER;
}

int main(int argc, char **argv)
{
	struct call call = { .code = -1 };

	call.tty = argc > 1 && strcmp(argv[1], "-t") == 0;
	if (argc != 3 + call.tty) {
		fprintf(stderr, "usage: lab-call [-t] CHANNELS COMMAND\n");
		return 2;
	}
	catch_signals();
	call.socket = channel_first_free(argv[1 + call.tty]);
	if (call.socket == -EBUSY)
		return give_up("every channel into the guest is in use");
	if (call.socket < 0)
		return give_up("the guest is not up");
	if (session_open(&call))
		return give_up("the guest does not answer");
	if (call.tty)
		terminal_raw();
	if (session_run(&call, argv[2 + call.tty]))
		return give_up("the command is too long");
	return call_serve(&call);
}
