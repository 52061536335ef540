/**
 * Messages over TCP: a header with tag and length, then the payload.
 *
 * One system call sends both. One receives both where the payload is small: it reads as much as has
 * come, up to a page, and what lies behind the message stays for the next receive. The rest of a
 * larger payload goes straight into the receiver's buffer.
 *
 * A pair's messages travel in the order in which they were sent. A receive takes the next one at
 * once if that is the one it asked for; else they are matched (matching/requests.h).
 */
#include "backends/tcp/messages.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "backends/matching/requests.h"
#include "backends/tcp/mesh.h"
#include "backends/tcp/sockets.h"
#include "transport/transport.h"

const char tp_send_algorithm[] = "native";
const char tp_isend_algorithm[] = "native";
const char tp_matching_algorithm[] = "native";

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
    const char *closed; /* why the peer sends no more; NULL: it may */
    char bytes[STAGE_BYTES];
};

static struct stage *stages; /* [peer] */
static struct pollfd *lines; /* [peer] what a waiting rank listens to */

void messages_open(void)
{
    stages = calloc((size_t)mesh.ranks, sizeof *stages);
    lines = calloc((size_t)mesh.ranks, sizeof *lines);
    if (!stages || !lines)
        tcp_fail("no memory for %d peers", mesh.ranks);
    requests_open(mesh.ranks);
}

static inline struct transfer transfer_of(int peer, const void *at, size_t bytes, int tag)
{
    return (struct transfer){peer, tag, bytes, (char *)at, bytes, header_bytes(bytes), NULL};
}

struct transfer wire_send_of(const void *from, size_t bytes, int peer, int tag)
{
    return transfer_of(peer, from, bytes, tag);
}

struct transfer wire_receive_of(void *to, size_t bytes, int peer, int tag)
{
    return transfer_of(peer, to, bytes, tag);
}

static struct header header_of(const struct transfer *message)
{
    return (struct header){message->bytes, message->tag, ""};
}

_Noreturn void wire_fail(const char *text)
{
    tcp_fail("%s", text);
}

/* Why there won't be any more; NULL where the system call would only have to wait. */
static const char *end_of(ssize_t result)
{
    if (result == 0)
        return "it closed the connection";
    return errno == EAGAIN || errno == EINTR ? NULL : strerror(errno);
}

/* What a system call moved; 0 where it would have to wait. Anything else is the peer's end. */
static size_t moved(ssize_t result, const struct transfer *message)
{
    const char *end = result > 0 ? NULL : end_of(result);
    if (end)
        tcp_fail("rank %d is gone, %zu bytes of a message under way: %s", message->peer,
                 message->header_left + message->left, end);
    return result > 0 ? (size_t)result : 0;
}

/* Small ones are put together first: a kernel that gathers takes longer than this copy. */
static ssize_t send_packet(const struct transfer *message)
{
    const struct header header = header_of(message);
    char packet[STAGE_BYTES];
    memcpy(packet, &header, BRIEF_BYTES);
    memcpy(packet + BRIEF_BYTES, message->at, message->left);
    return send(mesh.sockets[message->peer], packet, BRIEF_BYTES + message->left,
                MSG_DONTWAIT | MSG_NOSIGNAL);
}

static ssize_t send_gathered(const struct transfer *message)
{
    struct header header = header_of(message);
    const size_t header_done = header_bytes(message->bytes) - message->header_left;
    struct iovec parts[] = {{(char *)&header + header_done, message->header_left},
                            {message->at, message->left}};
    const struct msghdr both = {.msg_iov = parts, .msg_iovlen = 2};
    return sendmsg(mesh.sockets[message->peer], &both, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* Moves an outgoing message on as far as it goes without waiting; true when it is all out. */
static bool send_some(struct transfer *message)
{
    if (message->header_left + message->left == 0)
        return true;
    const bool small = message->bytes <= SMALL_BYTES;
    const bool packet = small && message->header_left == BRIEF_BYTES;
    const size_t sent = moved(packet ? send_packet(message) : send_gathered(message), message);
    const size_t of_header = sent < message->header_left ? sent : message->header_left;
    message->header_left -= of_header;
    message->at += sent - of_header;
    message->left -= sent - of_header;
    return message->header_left + message->left == 0;
}

/* Reads what has come into the stage. */
static void fill_stage(int peer)
{
    struct stage *stage = &stages[peer];
    memmove(stage->bytes, stage->bytes + stage->begin, stage->end - stage->begin);
    stage->end -= stage->begin;
    stage->begin = 0;
    const ssize_t got = recv(mesh.sockets[peer], stage->bytes + stage->end,
                             sizeof stage->bytes - stage->end, MSG_DONTWAIT);
    if (got > 0)
        stage->end += (size_t)got;
    else
        stage->closed = end_of(got);
}

/* Whether the whole header of the next message is in the stage; its tag and length. */
static inline bool peek_header(const struct stage *stage, struct envelope *seen)
{
    const size_t staged = stage->end - stage->begin;
    struct header header;
    if (staged < BRIEF_BYTES)
        return false;
    memcpy(&header, stage->bytes + stage->begin, BRIEF_BYTES);
    *seen = (struct envelope){(int)header.tag, header.bytes};
    return staged >= header_bytes(header.bytes);
}

static inline bool arrived(int peer, struct envelope *seen)
{
    if (peek_header(&stages[peer], seen))
        return true;
    fill_stage(peer);
    return peek_header(&stages[peer], seen);
}

/* Takes the header, and of the payload what came with it. */
static inline void take_staged(struct transfer *message, struct envelope seen)
{
    struct stage *stage = &stages[message->peer];
    stage->begin += header_bytes(seen.bytes);
    const size_t staged = stage->end - stage->begin;
    const size_t here = staged < seen.bytes ? staged : seen.bytes;
    memcpy(message->at, stage->bytes + stage->begin, here);
    stage->begin += here;
    message->header_left = 0;
    message->bytes = seen.bytes;
    message->at += here;
    message->left = seen.bytes - here;
}

/* Takes in what has come of a message after its header; true when it is all here. */
static bool receive_rest(struct transfer *message)
{
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

bool wire_send(struct transfer *out)
{
    return send_some(out);
}

bool wire_arrived(int peer, struct envelope *seen)
{
    return peer != mesh.rank && !stages[peer].closed && arrived(peer, seen);
}

bool wire_receive(struct transfer *in)
{
    struct envelope seen;
    if (in->header_left > 0 && peek_header(&stages[in->peer], &seen))
        take_staged(in, seen);
    return receive_rest(in);
}

static bool all_closed(void)
{
    int peer = 0;
    while (peer < mesh.ranks && (peer == mesh.rank || stages[peer].closed))
        peer++;
    return peer == mesh.ranks;
}

/* Ends the rank where nothing more can come from `source`. */
static inline void require_open(int source)
{
    if (source >= 0 && stages[source].closed)
        tcp_fail("rank %d is gone, a message of its waited for: %s", source, stages[source].closed);
    if (source == ANY_SOURCE && all_closed())
        tcp_fail("all other ranks are gone, a message of any waited for");
}

/* Waits for all that may move what is under way. */
void wire_wait(int source, unsigned *polls)
{
    require_open(source);
    if (++*polls <= mesh.patience)
        return;
    for (int peer = 0; peer < mesh.ranks; peer++) {
        lines[peer].fd = stages[peer].closed ? -1 : mesh.sockets[peer];
        lines[peer].events = requests_sending(peer) ? POLLIN | POLLOUT : POLLIN;
    }
    poll(lines, (nfds_t)mesh.ranks, -1);
}

/* Spins, and where it takes long sleeps until a peer has moved. NOBODY: not waited for. */
static void wait_for(int receiver, int sender, unsigned *polls)
{
    require_open(sender);
    if (++*polls <= mesh.patience)
        return;
    struct pollfd both[] = {
        {.fd = receiver < 0 ? -1 : mesh.sockets[receiver], .events = POLLOUT},
        {.fd = sender < 0 ? -1 : mesh.sockets[sender], .events = POLLIN},
    };
    poll(both, 2, -1);
}

void tp_send(const void *from, size_t bytes, int peer, int tag)
{
    struct transfer message = transfer_of(peer, from, bytes, tag);
    if (!requests_may_send()) {
        requests_send_and_wait(message);
        return;
    }
    for (unsigned polls = 0; !send_some(&message);)
        wait_for(peer, NOBODY, &polls);
}

/* Takes in what has come of the peer's next message; false if another one was asked for. */
static inline bool receive_some(struct transfer *message, bool *received)
{
    struct envelope seen;
    if (message->header_left > 0 && arrived(message->peer, &seen)) {
        if (seen.tag != message->tag || seen.bytes > message->bytes)
            return false;
        take_staged(message, seen);
    }
    *received = message->header_left == 0 && receive_rest(message);
    return true;
}

/* Waits for the peer's next message and takes it in, if it is the one asked for. */
static bool receive_next(struct transfer *message)
{
    bool received = false;
    for (unsigned polls = 0; receive_some(message, &received);) {
        if (received)
            return true;
        wait_for(NOBODY, message->peer, &polls);
    }
    return false;
}

void tp_recv(void *to, size_t bytes, int peer, int tag)
{
    struct transfer message = transfer_of(peer, to, bytes, tag);
    if (!requests_may_receive() || !receive_next(&message))
        requests_receive_and_wait(message);
}

/* Both directions advance together, whatever the order of the ranks; false when the peer's next
   message isn't the one asked for. */
static bool exchange_next(struct transfer *out, struct transfer *in)
{
    bool sent = false, received = false;
    for (unsigned polls = 0;;) {
        sent = sent || send_some(out);
        if (!received && !receive_some(in, &received))
            return false;
        if (sent && received)
            return true;
        wait_for(sent ? NOBODY : out->peer, received ? NOBODY : in->peer, &polls);
    }
}

void tp_sendrecv(const void *from, size_t send_bytes, int dest, void *to, size_t recv_bytes,
                 int source, int tag)
{
    struct transfer out = transfer_of(dest, from, send_bytes, tag);
    struct transfer in = transfer_of(source, to, recv_bytes, tag);
    if (dest == mesh.rank)
        memcpy(to, from, send_bytes < recv_bytes ? send_bytes : recv_bytes);
    else if (!requests_may_receive() || !exchange_next(&out, &in))
        requests_exchange(out, in);
}
