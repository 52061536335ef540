/**
 * Messages over TCP: a header with tag and length, then the payload.
 *
 * One system call sends both. One receives both where the payload is small: it reads as much as has
 * come, up to a page, and what lies behind the message stays for the next receive. The rest of a
 * larger payload goes straight into the receiver's buffer.
 *
 * A pair's messages are received in the order in which they were sent; tags are checked.
 */
#include "messages.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "mesh.h"
#include "transport.h"

const char tp_send_algorithm[] = "native";

/** What goes before each payload; `padding` is never looked at. */
struct header {
    uint64_t bytes;
    int64_t tag;
    char padding[48]; /* sent before large payloads only */
};

enum {
    BRIEF_BYTES = 16,   /* header of a small message */
    SMALL_BYTES = 4096, /* the largest payload that is copied on its way */
    STAGE_BYTES = SMALL_BYTES + sizeof(struct header),
};

/* A large payload begins a cache line of the kernel's memory: copies of shifted lines are 3 %
   slower. */
static inline size_t header_bytes(size_t payload_bytes)
{
    return payload_bytes > SMALL_BYTES ? sizeof(struct header) : BRIEF_BYTES;
}

/** What has been read from a peer and not yet been asked for: [begin, end). */
struct stage {
    size_t begin, end;
    char bytes[STAGE_BYTES];
};

/** A message on its way out or in. */
struct transfer {
    int peer;
    struct header header;
    size_t header_left;
    char *at;
    size_t left; /* of the payload */
};

static struct stage *stages; /* [peer] */

void messages_open(void)
{
    stages = calloc((size_t)mesh.ranks, sizeof *stages);
    if (!stages)
        tcp_fail("no memory for %d peers", mesh.ranks);
}

static struct transfer transfer_of(int peer, const void *at, size_t bytes, int tag)
{
    return (struct transfer){peer, {bytes, tag, ""}, header_bytes(bytes), (char *)at, bytes};
}

/* What a system call moved; 0 where it would have to wait. Anything else is the peer's end. */
static size_t moved(ssize_t result, const struct transfer *message)
{
    if (result > 0)
        return (size_t)result;
    if (result < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    tcp_fail("rank %d is gone, %zu bytes of a message under way: %s", message->peer,
             message->header_left + message->left,
             result == 0 ? "it closed the connection" : strerror(errno));
}

/* Small ones are put together first: a kernel that gathers takes longer than this copy. */
static ssize_t send_packet(const struct transfer *message)
{
    char packet[STAGE_BYTES];
    memcpy(packet, &message->header, BRIEF_BYTES);
    memcpy(packet + BRIEF_BYTES, message->at, message->left);
    return send(mesh.sockets[message->peer], packet, BRIEF_BYTES + message->left,
                MSG_DONTWAIT | MSG_NOSIGNAL);
}

static ssize_t send_gathered(const struct transfer *message)
{
    const size_t header_done = header_bytes(message->header.bytes) - message->header_left;
    struct iovec parts[] = {{(char *)&message->header + header_done, message->header_left},
                            {message->at, message->left}};
    const struct msghdr both = {.msg_iov = parts, .msg_iovlen = 2};
    return sendmsg(mesh.sockets[message->peer], &both, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* Moves an outgoing message on as far as it goes without waiting; true when it is all out. */
static bool send_some(struct transfer *message)
{
    const bool small = message->header.bytes <= SMALL_BYTES;
    const bool packet = small && message->header_left == BRIEF_BYTES;
    const size_t sent = moved(packet ? send_packet(message) : send_gathered(message), message);
    const size_t of_header = sent < message->header_left ? sent : message->header_left;
    message->header_left -= of_header;
    message->at += sent - of_header;
    message->left -= sent - of_header;
    return message->header_left + message->left == 0;
}

static void check(const struct header *seen, const struct transfer *expected)
{
    if (seen->tag == expected->header.tag && seen->bytes <= expected->left)
        return;
    tcp_fail("a message of rank %d doesn't fit its receive: expected tag %d and at most %zu bytes, "
             "seen tag %lld and %llu bytes",
             expected->peer, (int)expected->header.tag, expected->left, (long long)seen->tag,
             (unsigned long long)seen->bytes);
}

/* Reads what has come into the stage. */
static void fill_stage(struct stage *stage, const struct transfer *message)
{
    memmove(stage->bytes, stage->bytes + stage->begin, stage->end - stage->begin);
    stage->end -= stage->begin;
    stage->begin = 0;
    stage->end += moved(recv(mesh.sockets[message->peer], stage->bytes + stage->end,
                             sizeof stage->bytes - stage->end, MSG_DONTWAIT),
                        message);
}

/* Whether the whole header of the next message is there; its tag and length. */
static bool peek_header(const struct stage *stage, struct header *seen)
{
    const size_t staged = stage->end - stage->begin;
    if (staged < BRIEF_BYTES)
        return false;
    memcpy(seen, stage->bytes + stage->begin, BRIEF_BYTES);
    return staged >= header_bytes(seen->bytes);
}

/* Takes the header, and of the payload what came with it; false where the header isn't there. */
static bool take_staged(struct transfer *message)
{
    struct stage *stage = &stages[message->peer];
    struct header seen;
    if (!peek_header(stage, &seen))
        fill_stage(stage, message);
    if (!peek_header(stage, &seen))
        return false;
    check(&seen, message);
    stage->begin += header_bytes(seen.bytes);
    message->header_left = 0;
    message->left = seen.bytes;
    const size_t staged = stage->end - stage->begin;
    const size_t here = staged < message->left ? staged : message->left;
    memcpy(message->at, stage->bytes + stage->begin, here);
    stage->begin += here;
    message->at += here;
    message->left -= here;
    return true;
}

/* Takes an incoming message in as far as it has come; true when it is all here. */
static bool receive_some(struct transfer *message)
{
    if (message->header_left > 0 && !take_staged(message))
        return false;
    while (message->left > 0) {
        const size_t got = moved(
            recv(mesh.sockets[message->peer], message->at, message->left, MSG_DONTWAIT), message);
        if (got == 0)
            return false;
        message->at += got;
        message->left -= got;
    }
    return true;
}

/* Spins, and where it takes long sleeps until a peer has moved. -1 for a peer: not waited for. */
static void wait_for(int receiver, int sender, unsigned *polls)
{
    if (++*polls <= mesh.patience)
        return;
    struct pollfd lines[] = {
        {.fd = receiver < 0 ? -1 : mesh.sockets[receiver], .events = POLLOUT},
        {.fd = sender < 0 ? -1 : mesh.sockets[sender], .events = POLLIN},
    };
    poll(lines, 2, -1);
}

void tp_send(const void *from, size_t bytes, int peer, int tag)
{
    struct transfer message = transfer_of(peer, from, bytes, tag);
    for (unsigned polls = 0; !send_some(&message);)
        wait_for(peer, -1, &polls);
}

void tp_recv(void *to, size_t bytes, int peer, int tag)
{
    struct transfer message = transfer_of(peer, to, bytes, tag);
    for (unsigned polls = 0; !receive_some(&message);)
        wait_for(-1, peer, &polls);
}

/* Both directions advance together, whatever the order of the ranks. */
void tp_sendrecv(const void *from, size_t send_bytes, int dest, void *to, size_t recv_bytes,
                 int source, int tag)
{
    struct transfer out = transfer_of(dest, from, send_bytes, tag);
    struct transfer in = transfer_of(source, to, recv_bytes, tag);
    bool sent = false, received = false;
    if (dest == mesh.rank) {
        check(&out.header, &in);
        memcpy(to, from, send_bytes);
        return;
    }
    for (unsigned polls = 0;;) {
        sent = sent || send_some(&out);
        received = received || receive_some(&in);
        if (sent && received)
            return;
        wait_for(sent ? -1 : dest, received ? -1 : source, &polls);
    }
}
