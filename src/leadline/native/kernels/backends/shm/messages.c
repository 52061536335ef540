/**
 * Messages over shared memory: a ring of slots for each ordered pair of ranks.
 *
 * A small message lies in one slot, up to 48 bytes in the flag's own cache line, so that 8 bytes
 * cost one line's journey. A large one is announced in a slot and follows in parts through a second
 * ring, the sender filling one part while the receiver empties another.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segment.h"
#include "transport.h"

enum {
    NEAR_BYTES = LINE - 16,
    SMALL_BYTES = SLOT_BYTES - LINE,
    LEAST_PART_BYTES = 1 << 13,
};

const char tp_send_algorithm[] = "native";

/** What this process knows of its end of a channel, apart from the shared lines. */
struct end {
    struct channel *channel;
    uint32_t slots;       /* used so far */
    uint32_t slots_freed; /* as last seen */
    uint64_t parts;
    uint64_t parts_freed;
};

/** A message on its way out or in. */
struct transfer {
    struct end *end;
    char *at;
    size_t left;
    size_t part_bytes;
    int tag;
    bool announced;
};

static struct end *outgoing, *incoming; /* [peer] */

void messages_open(void)
{
    const int ranks = job.ranks;
    outgoing = calloc((size_t)ranks, sizeof *outgoing);
    incoming = calloc((size_t)ranks, sizeof *incoming);
    if (!outgoing || !incoming)
        shm_fail("no memory for", "the ends of channels");
    for (int peer = 0; peer < ranks; peer++) {
        outgoing[peer].channel = &job.channels[job.rank * ranks + peer];
        incoming[peer].channel = &job.channels[peer * ranks + job.rank];
    }
}

static inline bool slot_is_free(struct end *end)
{
    if (end->slots - end->slots_freed < SLOTS)
        return true;
    end->slots_freed =
        (uint32_t)atomic_load_explicit(&end->channel->slots_freed.value, memory_order_acquire);
    return end->slots - end->slots_freed < SLOTS;
}

static inline char *payload_of(struct slot *slot, size_t bytes)
{
    return bytes <= NEAR_BYTES ? slot->near : slot->far;
}

/* Offers the lines just written to the cache that all cores share, so that the receiver needn't
   snoop ours: 15 % off 1 KiB (CLDEMOTE; older processors take it for a no-op). */
static inline void offer(const struct slot *slot, size_t bytes)
{
#ifdef __x86_64__
    for (size_t done = 0; done < bytes + LINE; done += LINE)
        __asm__ volatile(".byte 0x0f, 0x1c, 0x07" : : "D"((const char *)slot + done) : "memory");
#else
    (void)slot, (void)bytes;
#endif
}

/* Fetches the next slot's payload lines for writing while this message travels; the receiver is
   not reading them yet (it polls the first line, which is left alone). */
static inline void claim(const struct slot *slot, size_t bytes)
{
    for (size_t done = LINE; done < bytes + LINE; done += LINE)
        __builtin_prefetch((const char *)slot + done, 1, 3);
}

static inline void put_slot(struct end *end, const void *from, size_t bytes, int tag)
{
    struct slot *slot = &end->channel->slots[end->slots % SLOTS];
    const size_t here = bytes <= SMALL_BYTES ? bytes : 0;
    slot->tag = tag;
    slot->bytes = bytes;
    memcpy(payload_of(slot, here), from, here);
    atomic_store_explicit(&slot->sequence, ++end->slots, memory_order_release);
    offer(slot, here);
    claim(&end->channel->slots[end->slots % SLOTS], here);
}

static inline struct slot *arrived_slot(struct end *end)
{
    struct slot *slot = &end->channel->slots[end->slots % SLOTS];
    const uint32_t seen = atomic_load_explicit(&slot->sequence, memory_order_acquire);
    return seen == end->slots + 1 ? slot : NULL;
}

static inline void free_slot(struct end *end)
{
    atomic_store_explicit(&end->channel->slots_freed.value, ++end->slots, memory_order_release);
}

static void check(const struct slot *slot, size_t bytes, int tag)
{
    char seen[128];
    if (slot->tag == tag && slot->bytes <= bytes)
        return;
    snprintf(seen, sizeof seen, "expected tag %d and at most %zu bytes, seen tag %d and %zu bytes",
             tag, bytes, slot->tag, (size_t)slot->bytes);
    shm_fail("a message doesn't fit its receive", seen);
}

/* Small enough that both ends copy at the same time, large enough that flags cost nothing. */
static size_t part_bytes_for(size_t bytes)
{
    const size_t quarter = (bytes / 4 + LINE - 1) / LINE * LINE;
    if (quarter < LEAST_PART_BYTES)
        return LEAST_PART_BYTES;
    return quarter < PART_BYTES ? quarter : PART_BYTES;
}

static struct transfer transfer_of(struct end *end, void *at, size_t bytes, int tag)
{
    return (struct transfer){end, at, bytes, part_bytes_for(bytes), tag, false};
}

/* Moves an outgoing message on as far as it goes without waiting; true when it is all out. */
static bool send_some(struct transfer *message)
{
    struct end *end = message->end;
    struct channel *channel = end->channel;
    if (!message->announced) {
        if (!slot_is_free(end))
            return false;
        put_slot(end, message->at, message->left, message->tag);
        message->announced = true;
        if (message->left <= SMALL_BYTES)
            message->left = 0;
    }
    while (message->left > 0) {
        if (end->parts - end->parts_freed == PARTS)
            end->parts_freed =
                atomic_load_explicit(&channel->parts_freed.value, memory_order_acquire);
        if (end->parts - end->parts_freed == PARTS)
            return false;
        const size_t part =
            message->left < message->part_bytes ? message->left : message->part_bytes;
        memcpy(channel->parts[end->parts % PARTS], message->at, part);
        atomic_store_explicit(&channel->parts_filled.value, ++end->parts, memory_order_release);
        message->at += part;
        message->left -= part;
    }
    return true;
}

/* Takes an incoming message in as far as it has come; true when it is all here. */
static bool receive_some(struct transfer *message)
{
    struct end *end = message->end;
    struct channel *channel = end->channel;
    if (!message->announced) {
        struct slot *slot = arrived_slot(end);
        if (!slot)
            return false;
        check(slot, message->left, message->tag);
        const size_t bytes = slot->bytes;
        if (bytes <= SMALL_BYTES)
            memcpy(message->at, payload_of(slot, bytes), bytes);
        message->left = bytes <= SMALL_BYTES ? 0 : bytes;
        message->part_bytes = part_bytes_for(bytes);
        message->announced = true;
        free_slot(end);
    }
    while (message->left > 0) {
        if (atomic_load_explicit(&channel->parts_filled.value, memory_order_acquire) == end->parts)
            return false;
        const size_t part =
            message->left < message->part_bytes ? message->left : message->part_bytes;
        memcpy(message->at, channel->parts[end->parts % PARTS], part);
        atomic_store_explicit(&channel->parts_freed.value, ++end->parts, memory_order_release);
        message->at += part;
        message->left -= part;
    }
    return true;
}

void tp_send(const void *from, size_t bytes, int peer, int tag)
{
    struct transfer message = transfer_of(&outgoing[peer], (void *)from, bytes, tag);
    for (unsigned spins = 0; !send_some(&message);)
        shm_wait(&spins);
}

void tp_recv(void *to, size_t bytes, int peer, int tag)
{
    struct transfer message = transfer_of(&incoming[peer], to, bytes, tag);
    for (unsigned spins = 0; !receive_some(&message);)
        shm_wait(&spins);
}

void tp_sendrecv(const void *from, size_t send_bytes, int dest, void *to, size_t recv_bytes,
                 int source, int tag)
{
    struct transfer out = transfer_of(&outgoing[dest], (void *)from, send_bytes, tag);
    struct transfer in = transfer_of(&incoming[source], to, recv_bytes, tag);
    bool sent = false, received = false;
    for (unsigned spins = 0; !sent || !received; shm_wait(&spins)) {
        sent = sent || send_some(&out);
        received = received || receive_some(&in);
    }
}
