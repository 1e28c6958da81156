// SPDX-License-Identifier: GPL-2.0-or-later
/* Queue pairs found and joined through rdma_cm: unicast (RDMA_PS_UDP) and multicast. */
#include "verbs_cm.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "cmd.h"
#include "verbs_error.h"

#define STEP_MS 2000	/* of rdma_cm's own address and route lookups */
#define MAX_BACKLOG 64

int verbs_cm_open(struct verbs_cm *cm, struct result_error *err)
{
	memset(cm, 0, sizeof(*cm));
	cm->channel = rdma_create_event_channel();
	if (!cm->channel)
		return verbs_fail(err, UBENCH_EXIT_UNSUPPORTED, "rdma_cm",
				  "no rdma_cm here: %s; load rdma_ucm, or name a device (-d)", strerror(errno));
	if (fcntl(cm->channel->fd, F_SETFL, fcntl(cm->channel->fd, F_GETFL) | O_NONBLOCK))
		return verbs_fail_errno(err, "rdma_cm event channel", errno);
	return 0;
}

void verbs_cm_free_paths(struct verbs_cm *cm)
{
	uint32_t i;

	for (i = 0; i < cm->n_ids; i++) {
		if (cm->ahs[i])
			ibv_destroy_ah(cm->ahs[i]);
		cm->ahs[i] = NULL;
		/* Detaches the queue pair, so it has to come before the end of that. */
		if (cm->group.len)
			rdma_leave_multicast(cm->ids[i], (struct sockaddr *)&cm->group.ss);
	}
	cm->group.len = 0;
}

void verbs_cm_close(struct verbs_cm *cm)
{
	while (cm->n_ids)
		rdma_destroy_id(cm->ids[--cm->n_ids]);
	if (cm->listener)
		rdma_destroy_id(cm->listener);
	if (cm->channel)
		rdma_destroy_event_channel(cm->channel);
	memset(cm, 0, sizeof(*cm));
}

/* The next event of any id, to be acknowledged. 0, -ETIMEDOUT or -errno. */
static int next_event(struct verbs_cm *cm, int64_t deadline_ns, struct rdma_cm_event **event)
{
	struct pollfd p = { .fd = cm->channel->fd, .events = POLLIN };

	while (rdma_get_cm_event(cm->channel, event)) {
		struct timespec left = clock_left(deadline_ns);
		int ret;

		if (errno != EAGAIN)
			return -errno;
		ret = ppoll(&p, 1, &left, NULL);
		if (!ret)
			return -ETIMEDOUT;
		if (ret < 0 && errno != EINTR)
			return -errno;
	}
	return 0;
}

static const char *event_advice(enum rdma_cm_event_type type)
{
	switch (type) {
	case RDMA_CM_EVENT_ADDR_ERROR:
		return "no RDMA device reaches that address: check its route, or name a device (-d)";
	case RDMA_CM_EVENT_ROUTE_ERROR:
		return "no path to it: is the subnet manager running?";
	case RDMA_CM_EVENT_UNREACHABLE:
		return "its rdma_cm does not answer: is RDMA up at the peer, UDP port 4791 open?";
	case RDMA_CM_EVENT_REJECTED:
		return "the peer turned the request away: see the server's messages";
	case RDMA_CM_EVENT_MULTICAST_ERROR:
		return "the group cannot be joined: see dmesg and the subnet manager's log";
	case RDMA_CM_EVENT_DEVICE_REMOVAL:
		return "the RDMA device was removed";
	default:
		return "see dmesg";
	}
}

static int fail_event(struct result_error *err, const char *step, const struct rdma_cm_event *e)
{
	char status[64] = "";

	if (e->status < 0)
		snprintf(status, sizeof(status), " (%s)", strerror(-e->status));
	else if (e->status)
		snprintf(status, sizeof(status), " (status %d)", e->status);
	return verbs_fail(err, UBENCH_EXIT_FAILED, "rdma_cm", "%s: %s%s; %s", step,
			  rdma_event_str(e->event), status, event_advice(e->event));
}

/* Wait for an event of this type, and hand it over to be acknowledged. 0 or -EIO. */
static int expect(struct verbs_cm *cm, const char *step, enum rdma_cm_event_type type,
		  int64_t deadline_ns, struct rdma_cm_event **event, struct result_error *err)
{
	int ret = next_event(cm, deadline_ns, event);

	if (ret == -ETIMEDOUT)
		return verbs_fail(err, UBENCH_EXIT_FAILED, "rdma_cm",
				  "%s: no answer; is UDP port 4791 open, the subnet manager running?",
				  step);
	if (ret)
		return verbs_fail_errno(err, step, -ret);
	if ((*event)->event == type)
		return 0;
	fail_event(err, step, *event);
	rdma_ack_cm_event(*event);
	return -EIO;
}

/* The same where nothing in the event is of interest. */
static int await(struct verbs_cm *cm, const char *step, enum rdma_cm_event_type type,
		 int64_t deadline_ns, struct result_error *err)
{
	struct rdma_cm_event *event;
	int ret = expect(cm, step, type, deadline_ns, &event, err);

	if (!ret)
		rdma_ack_cm_event(event);
	return ret;
}

/* A new id on the device that has this address. 0 or -EIO; *id may be set even then. */
static int bind_id(struct verbs_cm *cm, const struct addr *local, struct rdma_cm_id **id,
		   struct result_error *err)
{
	char text[ADDR_TEXT_BYTES];

	if (rdma_create_id(cm->channel, id, NULL, RDMA_PS_UDP))
		return verbs_fail_errno(err, "rdma_cm id", errno);
	if (rdma_bind_addr(*id, (struct sockaddr *)&local->ss))
		return verbs_fail(err, UBENCH_EXIT_FAILED, "rdma_cm",
				  "no RDMA device has the address %s (%s); take another address, or name a device (-d)",
				  addr_text(local, text), strerror(errno));
	return 0;
}

int verbs_cm_listen(struct verbs_cm *cm, const struct addr *addr, uint16_t *port,
		    struct result_error *err)
{
	int ret = bind_id(cm, addr, &cm->listener, err);

	if (ret)
		return ret;
	if (rdma_listen(cm->listener, MAX_BACKLOG))
		return verbs_fail_errno(err, "rdma_cm listener", errno);
	*port = be16toh(rdma_get_src_port(cm->listener));
	return 0;
}

static bool carries(const struct rdma_cm_event *event, uint64_t nonce)
{
	nonce = htobe64(nonce);
	return event->param.ud.private_data_len >= sizeof(nonce) &&
	       !memcmp(event->param.ud.private_data, &nonce, sizeof(nonce));
}

int verbs_cm_next_request(struct verbs_cm *cm, uint64_t nonce, int64_t deadline_ns,
			  struct result_error *err)
{
	struct rdma_cm_event *event;
	struct rdma_cm_id *id;
	bool is_ours;
	int ret;

	for (;;) {
		ret = expect(cm, "request of the sender", RDMA_CM_EVENT_CONNECT_REQUEST,
			     deadline_ns, &event, err);
		if (ret)
			return ret;
		id = event->id;
		is_ours = carries(event, nonce) && cm->n_ids < VERBS_MAX_QPS;
		if (!is_ours)
			rdma_reject(id, NULL, 0);
		rdma_ack_cm_event(event);
		if (is_ours)
			break;
		rdma_destroy_id(id);
	}
	cm->ids[cm->n_ids++] = id;
	return 0;
}

int verbs_cm_accept(struct verbs_cm *cm, uint32_t index, struct result_error *err)
{
	struct rdma_conn_param param = { .qp_num = cm->ids[index]->qp->qp_num };

	return rdma_accept(cm->ids[index], &param) ?
	       verbs_fail_errno(err, "rdma_cm accept", errno) : 0;
}

int verbs_cm_resolve(struct verbs_cm *cm, const struct addr *source,
		     const struct addr *peer, int64_t deadline_ns, struct result_error *err)
{
	struct rdma_cm_id *id;
	int ret;

	if (rdma_create_id(cm->channel, &id, NULL, RDMA_PS_UDP))
		return verbs_fail_errno(err, "rdma_cm id", errno);
	cm->ids[cm->n_ids++] = id;
	if (rdma_resolve_addr(id, source ? (struct sockaddr *)&source->ss : NULL,
			      (struct sockaddr *)&peer->ss, STEP_MS))
		return verbs_fail(err, UBENCH_EXIT_FAILED, "rdma_cm",
				  "no RDMA device reaches the peer's address (%s); check its route, or name a device (-d)",
				  strerror(errno));
	ret = await(cm, "address lookup", RDMA_CM_EVENT_ADDR_RESOLVED, deadline_ns, err);
	if (ret)
		return ret;
	if (rdma_resolve_route(id, STEP_MS))
		return verbs_fail_errno(err, "route lookup", errno);
	return await(cm, "route lookup", RDMA_CM_EVENT_ROUTE_RESOLVED, deadline_ns, err);
}

int verbs_cm_bind(struct verbs_cm *cm, const struct addr *local, struct result_error *err)
{
	struct rdma_cm_id *id = NULL;
	int ret = bind_id(cm, local, &id, err);

	if (id)
		cm->ids[cm->n_ids++] = id;
	if (!ret && !id->verbs)
		ret = verbs_fail(err, UBENCH_EXIT_FAILED, "rdma_cm",
				 "a group needs the address of an RDMA device (--source, --peer-address), not a wildcard or loopback");
	return ret;
}

/* The far end of event, as a path of cm->ids[index]. Acknowledges the event. 0 or -EIO. */
static int take_path(struct verbs_cm *cm, uint32_t index, struct rdma_cm_event *event,
		     struct ibv_pd *pd, struct verbs_path *path, struct result_error *err)
{
	struct rdma_ud_param ud = event->param.ud;

	rdma_ack_cm_event(event);
	cm->ahs[index] = ibv_create_ah(pd, &ud.ah_attr);
	if (!cm->ahs[index])
		return verbs_fail_errno(err, "address handle", errno);
	*path = (struct verbs_path){ cm->ahs[index], ud.qp_num, ud.qkey };
	return 0;
}

int verbs_cm_connect(struct verbs_cm *cm, uint32_t index, uint64_t nonce, struct ibv_pd *pd,
		     int64_t deadline_ns, struct verbs_path *path, struct result_error *err)
{
	struct rdma_conn_param param = { .retry_count = 7 };
	struct rdma_cm_event *event;
	int ret;

	nonce = htobe64(nonce);
	param.private_data = &nonce;
	param.private_data_len = sizeof(nonce);
	if (rdma_connect(cm->ids[index], &param))
		return verbs_fail_errno(err, "rdma_cm connect", errno);
	ret = expect(cm, "lookup of the peer's queue pair", RDMA_CM_EVENT_ESTABLISHED, deadline_ns,
		     &event, err);
	return ret ? ret : take_path(cm, index, event, pd, path, err);
}

static int join(struct rdma_cm_id *id, const struct addr *group, bool is_sender)
{
	struct rdma_cm_join_mc_attr_ex attr = {
		.comp_mask = RDMA_CM_JOIN_MC_ATTR_ADDRESS | RDMA_CM_JOIN_MC_ATTR_JOIN_FLAGS,
		.join_flags = is_sender ? RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER :
					  RDMA_MC_JOIN_FLAG_FULLMEMBER,
		.addr = (struct sockaddr *)&group->ss,
	};

	return rdma_join_multicast_ex(id, &attr, NULL);
}

int verbs_cm_join(struct verbs_cm *cm, uint32_t index, const struct addr *group,
		  bool is_sender, struct ibv_pd *pd, int64_t deadline_ns, struct verbs_path *path,
		  struct result_error *err)
{
	struct rdma_cm_id *id = cm->ids[index];
	struct rdma_cm_event *event;
	int ret;

	/* Not every subnet manager knows members that only send. */
	if (join(id, group, is_sender) && (!is_sender || join(id, group, false)))
		return verbs_fail_errno(err, "multicast join", errno);
	ret = expect(cm, "multicast join", RDMA_CM_EVENT_MULTICAST_JOIN, deadline_ns, &event, err);
	if (ret)
		return ret;
	cm->group = *group;
	return take_path(cm, index, event, pd, path, err);
}
