/** Two-sided messages, however a program sends and receives them. */
#include <stdlib.h>
#include <string.h>

#include "backends/trace/arrivals.h"
#include "backends/trace/log.h"
#include "backends/trace/wire.h"
#include "transport/transport.h"

/* -- one call at a time ------------------------------------------------------------------------ */

/* A message has left when its last piece is in the peer's pipe. */

const char tp_send_algorithm[] = "native";
const char tp_matching_algorithm[] = "native";
const char tp_ssend_algorithm[] = "send and acknowledgement";
const char tp_bsend_algorithm[] = "copy and send";

/** Where tp_bsend's messages leave from, one after the other. */
static struct {
    char *memory;
    size_t bytes; /* of each */
    bool sent[TP_BUFFERED_MESSAGES];
    unsigned next;
} buffer;

static void post(enum kind kind, const void *from, size_t bytes, int peer, int tag, bool *sent)
{
    const struct piece head = {.kind = kind, .tag = tag, .depth = log_depth()};
    log_sent("send", peer, bytes, tag);
    outbox_add(peer, head, from, bytes, sent);
}

void tp_send(const void *from, size_t bytes, int peer, int tag)
{
    post(MESSAGE, from, bytes, peer, tag, NULL);
    progress_until_sent();
}

static int receive(void *to, size_t bytes, int peer, int tag)
{
    struct arrival arrival;
    arrivals_ask(&arrival, to, bytes, peer, tag);
    progress_until(&arrival.complete);
    log_found("receive", arrival.source, arrival.bytes, tag, arrival.depth);
    return arrival.source;
}

void tp_recv(void *to, size_t bytes, int peer, int tag)
{
    receive(to, bytes, peer, tag);
}

int tp_recv_any(void *to, size_t bytes, int tag)
{
    return receive(to, bytes, ANY_SOURCE, tag);
}

void tp_sendrecv(const void *from, size_t send_bytes, int dest, void *to, size_t recv_bytes,
                 int source, int tag)
{
    if (dest == job.rank) {
        memcpy(to, from, send_bytes < recv_bytes ? send_bytes : recv_bytes);
        return;
    }
    post(MESSAGE, from, send_bytes, dest, tag, NULL);
    receive(to, recv_bytes, source, tag);
}

void tp_ssend(const void *from, size_t bytes, int peer, int tag)
{
    answers_expect(NULL);
    post(SYNCHRONOUS, from, bytes, peer, tag, NULL);
    progress_until(&answer.came);
}

void tp_buffer_attach(size_t bytes)
{
    buffer.memory = malloc(TP_BUFFERED_MESSAGES * bytes + 1);
    buffer.bytes = bytes;
    if (!buffer.memory)
        job_fail("no memory for %d buffered messages of %zu bytes", TP_BUFFERED_MESSAGES, bytes);
    memset(buffer.sent, true, sizeof buffer.sent);
}

void tp_buffer_detach(void)
{
    progress_until_sent();
    free(buffer.memory);
    buffer.memory = NULL;
}

void tp_bsend(const void *from, size_t bytes, int peer, int tag)
{
    const unsigned place = buffer.next++ % TP_BUFFERED_MESSAGES;
    progress();
    if (!buffer.memory || bytes > buffer.bytes || !buffer.sent[place])
        job_fail("no room in the buffer for a message of %zu bytes to rank %d: it holds %d of %zu",
                 bytes, peer, buffer.memory ? TP_BUFFERED_MESSAGES : 0, buffer.bytes);
    char *copy = buffer.memory + place * buffer.bytes;
    memcpy(copy, from, bytes);
    buffer.sent[place] = false;
    post(MESSAGE, copy, bytes, peer, tag, &buffer.sent[place]);
    outbox_move();
}

/* -- operations under way ---------------------------------------------------------------------- */

/* Operations under way, by slot. What is sent is out when the call that sends it returns. */

const char tp_isend_algorithm[] = "send";

static struct slot {
    struct arrival receive;
    bool receives; /* until its message was found complete */
} slots[TP_MOST_REQUESTS];

void tp_isend(const void *from, size_t bytes, int peer, int tag, int slot)
{
    slots[slot].receives = false;
    tp_send(from, bytes, peer, tag);
}

void tp_irecv(void *to, size_t bytes, int peer, int tag, int slot)
{
    slots[slot].receives = true;
    arrivals_ask(&slots[slot].receive, to, bytes, peer, tag);
}

void tp_wait(int slot)
{
    const struct arrival *receive = &slots[slot].receive;
    if (!slots[slot].receives)
        return;
    progress_until(&receive->complete);
    slots[slot].receives = false;
    log_found("receive", receive->source, receive->bytes, receive->entry.tag, receive->depth);
}

void tp_waitall(int first, int count)
{
    for (int slot = first; slot < first + count; slot++)
        tp_wait(slot);
}

bool tp_test(int slot)
{
    if (slots[slot].receives && !slots[slot].receive.complete)
        progress();
    if (slots[slot].receives && !slots[slot].receive.complete)
        return false;
    tp_wait(slot);
    return true;
}

/* -- datatypes --------------------------------------------------------------------------------- */

/* Messages with gaps: gathered by their sender, scattered by their receiver. */

const char tp_datatype_algorithm[] = "gather, send, scatter";

/** How the payload lies in an element. */
struct form {
    size_t step; /* from one element to the next */
    int parts;
    struct {
        size_t at, bytes;
    } part[3];
};

static const struct form forms[] = {
    [TP_STRIDED] = {TP_STRIDE * sizeof(double), 1, {{0, sizeof(double)}}},
    [TP_STRUCT] = {sizeof(struct tp_particle),
                   3,
                   {{offsetof(struct tp_particle, kind), sizeof(int32_t)},
                    {offsetof(struct tp_particle, charge), sizeof(double)},
                    {offsetof(struct tp_particle, symbol), 4}}},
};

struct tp_datatype {
    const struct form *form;
    size_t elements;
    size_t bytes; /* of payload */
    char payload[];
};

static size_t payload_of(const struct form *form)
{
    size_t bytes = 0;
    for (int i = 0; i < form->parts; i++)
        bytes += form->part[i].bytes;
    return bytes;
}

struct tp_datatype *tp_datatype_make(enum tp_form form, size_t elements)
{
    const size_t bytes = elements * payload_of(&forms[form]);
    struct tp_datatype *type = malloc(sizeof *type + bytes);
    if (!type)
        job_fail("no memory to gather %zu elements", elements);
    type->form = &forms[form];
    type->elements = elements;
    type->bytes = bytes;
    return type;
}

void tp_datatype_free(struct tp_datatype *type)
{
    free(type);
}

void tp_send_datatype(const void *from, const struct tp_datatype *type, int peer, int tag)
{
    char *to = ((struct tp_datatype *)type)->payload;
    const char *element = from;
    for (size_t i = 0; i < type->elements; i++, element += type->form->step)
        for (int k = 0; k < type->form->parts; to += type->form->part[k++].bytes)
            memcpy(to, element + type->form->part[k].at, type->form->part[k].bytes);
    tp_send(type->payload, type->bytes, peer, tag);
}

void tp_recv_datatype(void *to, const struct tp_datatype *type, int peer, int tag)
{
    const char *from = type->payload;
    char *element = to;
    tp_recv(((struct tp_datatype *)type)->payload, type->bytes, peer, tag);
    for (size_t i = 0; i < type->elements; i++, element += type->form->step)
        for (int k = 0; k < type->form->parts; from += type->form->part[k++].bytes)
            memcpy(element + type->form->part[k].at, from, type->form->part[k].bytes);
}

/* -- packing ----------------------------------------------------------------------------------- */

/* Packing is a copy: messages are bytes as they are. */

const char tp_pack_algorithm[] = "copy";

/** A packed message. */
struct packed {
    char *memory;
    size_t bytes, room;
};

static struct packed outgoing, incoming;

static void make_room(struct packed *message, size_t bytes)
{
    message->bytes = bytes;
    if (bytes < message->room)
        return;
    free(message->memory);
    message->room = bytes + 1;
    message->memory = malloc(message->room);
    if (!message->memory)
        job_fail("no memory for a packed message of %zu bytes", bytes);
}

void tp_pack(const void *from, size_t bytes)
{
    make_room(&outgoing, bytes);
    memcpy(outgoing.memory, from, bytes);
}

void tp_send_packed(int peer, int tag)
{
    tp_send(outgoing.memory, outgoing.bytes, peer, tag);
}

void tp_recv_packed(size_t bytes, int peer, int tag)
{
    make_room(&incoming, bytes);
    tp_recv(incoming.memory, bytes, peer, tag);
}

void tp_unpack(void *to, size_t bytes)
{
    memcpy(to, incoming.memory, bytes);
}
