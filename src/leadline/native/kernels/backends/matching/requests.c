#include "backends/matching/requests.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transport/transport.h"

/** What is under way between this rank and another. */
struct peer {
    struct request *sends, **sends_end; /* in the order in which they were called */
    struct request *arriving;           /* the receive, or message in memory, being filled */
    struct request acknowledgement;     /* on its way to the peer, which waits for it */
};

struct outstanding outstanding;

static struct peer *peers;
static int peer_count;
static struct queue receives; /* that wait for their message */
static struct queue messages; /* that wait for their receive */

_Noreturn void requests_fail(const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    wire_fail(text);
}

void requests_open(int ranks)
{
    peers = calloc((size_t)ranks, sizeof *peers);
    if (!peers)
        requests_fail("no memory for %d peers", ranks);
    peer_count = ranks;
}

static void complete(struct request *request)
{
    request->complete = true;
    outstanding.requests--;
}

static void go_on_sending(struct peer *peer)
{
    while (peer->sends && wire_send(&peer->sends->transfer)) {
        struct request *sent = peer->sends;
        peer->sends = sent->next;
        complete(sent);
    }
}

void requests_send(struct request *request, struct transfer transfer)
{
    struct peer *peer = &peers[transfer.peer];
    *request = (struct request){.entry = {.source = NOBODY}, .transfer = transfer};
    outstanding.requests++;
    *(peer->sends ? peer->sends_end : &peer->sends) = request;
    peer->sends_end = &request->next;
    if (peer->sends == request)
        go_on_sending(peer);
}

bool requests_sending(int peer)
{
    return peers[peer].sends != NULL;
}

static void acknowledge(int peer)
{
    requests_send(&peers[peer].acknowledgement, wire_send_of("", 0, peer, ACKNOWLEDGEMENT));
}

static void require_room(const struct request *receive, int source, size_t bytes)
{
    if (bytes > receive->transfer.bytes)
        requests_fail(
            "a message of rank %d doesn't fit its receive: expected tag %d and at most %zu "
            "bytes, seen tag %d and %zu bytes",
            source, receive->entry.tag, receive->transfer.bytes, receive->entry.tag, bytes);
}

/* A receive gets the message in memory that it asked for. */
static void deliver(struct request *message, struct request *receive)
{
    memcpy(receive->transfer.at, message + 1, message->transfer.bytes);
    receive->transfer.peer = message->entry.source;
    complete(receive);
    outstanding.unexpected--;
    free(message);
}

void requests_receive(struct request *request, struct transfer transfer)
{
    *request = (struct request){.entry = {.source = transfer.peer, .tag = transfer.tag},
                                .transfer = transfer};
    outstanding.requests++;
    struct request *message = (void *)queue_take(&messages, transfer.peer, transfer.tag);
    if (!message) {
        queue_add(&receives, &request->entry);
        return;
    }
    require_room(request, message->entry.source, message->transfer.bytes);
    if (message->synchronous)
        acknowledge(message->entry.source);
    if (message->complete)
        deliver(message, request);
    else
        message->taker = request;
}

/* Room in memory for a message that nobody has asked for. */
static struct request *keep(int source, struct envelope seen)
{
    struct request *message = malloc(sizeof *message + seen.bytes);
    const int tag = seen.tag & ~SYNCHRONOUS;
    if (!message)
        requests_fail(
            "no memory for a message of %zu bytes with tag %d of rank %d, which nobody has "
            "asked for yet; receive it earlier",
            seen.bytes, tag, source);
    *message = (struct request){
        .entry = {.source = source, .tag = tag},
        .transfer = wire_receive_of(message + 1, seen.bytes, source, seen.tag),
        .synchronous = seen.tag & SYNCHRONOUS,
        .kept = true,
    };
    queue_add(&messages, &message->entry);
    outstanding.unexpected++;
    return message;
}

/* Finds out where the peer's next message is to go, if it has arrived. */
static bool begin(int source)
{
    struct envelope seen;
    if (!wire_arrived(source, &seen))
        return false;
    struct request *receive = (void *)queue_take(&receives, source, seen.tag & ~SYNCHRONOUS);
    if (receive) {
        require_room(receive, source, seen.bytes);
        receive->transfer.peer = source;
        if (seen.tag & SYNCHRONOUS)
            acknowledge(source);
    }
    peers[source].arriving = receive ? receive : keep(source, seen);
    return true;
}

static void arrived(struct request *request)
{
    if (!request->kept)
        complete(request);
    else if (request->taker)
        deliver(request, request->taker);
    else
        request->complete = true;
}

/* Only while somebody waits: what comes after that stays on the wire, where it holds up its sender
   rather than fill memory. */
static void go_on_receiving(int source)
{
    struct request **arriving = &peers[source].arriving;
    while (outstanding.requests > 0 && (*arriving || begin(source)) &&
           wire_receive(&(*arriving)->transfer)) {
        arrived(*arriving);
        *arriving = NULL;
    }
}

void requests_progress(void)
{
    for (int peer = 0; peer < peer_count; peer++) {
        go_on_sending(&peers[peer]);
        go_on_receiving(peer);
    }
}

void requests_wait(struct request *request)
{
    for (unsigned polls = 0; !request->complete;) {
        requests_progress();
        if (!request->complete)
            wire_wait(request->entry.source, &polls);
    }
}

void requests_send_and_wait(struct transfer out)
{
    struct request request;
    requests_send(&request, out);
    requests_wait(&request);
}

void requests_receive_and_wait(struct transfer in)
{
    struct request request;
    requests_receive(&request, in);
    requests_wait(&request);
}

void requests_exchange(struct transfer out, struct transfer in)
{
    struct request sending, receiving;
    requests_receive(&receiving, in);
    requests_send(&sending, out);
    requests_wait(&sending);
    requests_wait(&receiving);
}

/* -- operations under way, by slot ------------------------------------------------------------- */

static struct request slots[TP_MOST_REQUESTS];

void tp_isend(const void *from, size_t bytes, int peer, int tag, int slot)
{
    requests_send(&slots[slot], wire_send_of(from, bytes, peer, tag));
}

void tp_irecv(void *to, size_t bytes, int peer, int tag, int slot)
{
    requests_receive(&slots[slot], wire_receive_of(to, bytes, peer, tag));
}

void tp_wait(int slot)
{
    requests_wait(&slots[slot]);
}

void tp_waitall(int first, int count)
{
    for (int slot = first; slot < first + count; slot++)
        requests_wait(&slots[slot]);
}

bool tp_test(int slot)
{
    if (!slots[slot].complete)
        requests_progress();
    return slots[slot].complete;
}
