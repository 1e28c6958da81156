// SPDX-License-Identifier: GPL-2.0-or-later
/* The sending end of a run, at whichever host: the senders of all flows, and their account. */
#include "sending.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "addr.h"
#include "affinity.h"
#include "protocol.h"
#include "sender.h"
#include "socket.h"

int sending_alloc(struct sending *s, unsigned int n)
{
	unsigned int i;

	*s = (struct sending){ .n = n };
	/* Senders keep their counters on cache lines of their own. */
	s->senders = aligned_alloc(_Alignof(struct sender), n * sizeof(*s->senders));
	if (!s->senders)
		return -ENOMEM;
	memset(s->senders, 0, n * sizeof(*s->senders));
	for (i = 0; i < n; i++)
		s->senders[i].fd = -1;
	return 0;
}

void sending_place(struct sending *s, int fd, const char *device)
{
	struct addr local = { .len = sizeof(local.ss) };
	unsigned int i;

	if (*device)
		strcpy(s->interface, device);
	else if (getsockname(fd, (struct sockaddr *)&local.ss, &local.len) ||
		 addr_interface(&local, s->interface))
		s->interface[0] = '\0';
	for (i = 0; i < s->n; i++)
		s->senders[i].worker.node = affinity_node_of("net", s->interface);
}

void sending_mark_drops(struct sending *s)
{
	s->drops_at_start = drops_now(s->interface);
}

int sending_start(struct sending *s)
{
	unsigned int i;
	int ret = 0;

	sending_mark_drops(s);
	for (i = 0; i < s->n && !ret; i++)
		ret = sender_start(&s->senders[i]);
	return ret;
}

void sending_stop(struct sending *s)
{
	unsigned int i;

	for (i = 0; i < s->n; i++)
		sender_halt(&s->senders[i]);
	for (i = 0; i < s->n; i++)
		worker_join(&s->senders[i].worker);
}

struct result_sent sending_total(const struct sending *s)
{
	struct result_sent sum = { 0 };
	unsigned int i;

	for (i = 0; i < s->n; i++) {
		struct result_sent one = sender_sent(&s->senders[i]);

		result_sent_add(&sum, &one);
	}
	return sum;
}

void sending_collect(const struct sending *s, struct protocol_end *end)
{
	struct drops now = drops_now(s->interface);
	unsigned int i;

	memset(end, 0, sizeof(*end));
	end->flows = s->n;
	end->drops = drops_since(&s->drops_at_start, &now);
	for (i = 0; i < s->n; i++) {
		const struct sender *one = &s->senders[i];

		end->sent[i] = sender_sent(one);
		end->sent[i].seconds = 1e-9 * (double)(one->end_ns - one->start_ns);
		end->warmup_bytes[i] = one->warmup_bytes;
		end->refused += atomic_load(&one->refused);
	}
	if (s->n)
		end->send_socket_bytes = socket_send_bytes(s->senders[0].fd);
}

void sending_free(struct sending *s)
{
	unsigned int i;

	for (i = 0; s->senders && i < s->n; i++)
		if (s->senders[i].fd >= 0)
			close(s->senders[i].fd);
	free(s->senders);
	*s = (struct sending){ 0 };
}
