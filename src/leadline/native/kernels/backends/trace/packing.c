/** Packing is a copy: messages are bytes as they are. */
#include <stdlib.h>
#include <string.h>

#include "backends/trace/job.h"
#include "transport/transport.h"

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
