/**
 * Messages over shared memory: a ring of slots for each ordered pair of ranks.
 *
 * A small message lies in one slot, up to 48 bytes in the flag's own cache line, so that 8 bytes
 * cost one line's journey. A large one is announced in a slot. Then either it follows in parts
 * through a second ring, the sender filling one part while the receiver empties another, or the
 * receiver reads it where it lies (single_copy.h); the sender chooses and the slot says which.
 *
 * A pair's messages are received in the order in which they were sent; tags are checked.
 */
#include "messages.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segment.h"
#include "single_copy.h"
#include "transport.h"

enum {
    LEAST_PART_BYTES = 1 << 12,
    MOST_CLAIMED_BYTES = 1 << 16,
    PAGE = 4096,
    PAGES_AT_ONCE = 4,
};

const char tp_send_algorithm[] = "native";

/** What this process knows of its end of a channel, apart from the shared lines. */
struct end {
    struct channel *channel;
    int peer;
    uint32_t slots;       /* used so far */
    uint32_t slots_freed; /* as last seen */
    uint64_t parts;
    uint64_t parts_freed;
    uint64_t sources_read;
    const void *last_source; /* of a large message */
};

/** A message on its way out or in. */
struct transfer {
    struct end *end;
    char *at;
    size_t left;
    size_t part_bytes;
    const void *source; /* where it lies, if it is read there; else NULL */
    int tag;
    bool announced;
};

static struct end *outgoing, *incoming; /* [peer] */
static const void *last_received;       /* where the last large message went, whoever sent it */

void messages_open(void)
{
    const int ranks = job.ranks;
    outgoing = calloc((size_t)ranks, sizeof *outgoing);
    incoming = calloc((size_t)ranks, sizeof *incoming);
    if (!outgoing || !incoming)
        shm_fail("no memory for", "the ends of channels");
    for (int peer = 0; peer < ranks; peer++) {
        outgoing[peer] = (struct end){&job.channels[job.rank * ranks + peer], .peer = peer};
        incoming[peer] = (struct end){&job.channels[peer * ranks + job.rank], .peer = peer};
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
   snoop ours: a quarter off 512 B to 4 KiB, but a loss for the parts of larger messages (CLDEMOTE;
   older processors take it for a no-op). */
static inline void offer(const struct slot *slot, size_t bytes)
{
#ifdef __x86_64__
    for (size_t done = 0; done < bytes + LINE; done += LINE)
        __asm__ volatile(".byte 0x0f, 0x1c, 0x07" : : "D"((const char *)slot + done) : "memory");
#else
    (void)slot, (void)bytes;
#endif
}

/* Fetches lines for writing that the next message will fill, while this one travels: the receiver
   has read them in the last turn of the ring and must give them up. A third off 1 KiB to 16 KiB.
   (The compiler's prefetch for writing is one for reading unless the processor is named.) */
static inline void claim(const char *lines, size_t bytes)
{
    for (size_t done = 0; done < bytes; done += LINE)
#ifdef __x86_64__
        __asm__ volatile("prefetchw %0" : : "m"(lines[done]));
#else
        __builtin_prefetch(lines + done, 1, 3);
#endif
}

static inline void put_slot(struct transfer *message)
{
    struct end *end = message->end;
    struct slot *slot = &end->channel->slots[end->slots % SLOTS];
    const size_t bytes = message->left, here = bytes <= FAR_BYTES ? bytes : 0;
    slot->tag = message->tag;
    slot->bytes = bytes;
    if (bytes <= FAR_BYTES)
        memcpy(payload_of(slot, here), message->at, here);
    else
        slot->source = message->source;
    atomic_store_explicit(&slot->sequence, ++end->slots, memory_order_release);
    offer(slot, here);
    /* Not the flag's line: the receiver may be polling it already. */
    claim(end->channel->slots[end->slots % SLOTS].far, here > NEAR_BYTES ? here : 0);
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

static struct transfer transfer_of(struct end *end, const void *at, size_t bytes, int tag)
{
    return (struct transfer){end, (char *)at, bytes, part_bytes_for(bytes), NULL, tag, false};
}

/* Sent from the same place as the last message, and nothing received there since: the bytes are
   as good as certainly still in the receiver's cache. */
static bool is_resent(struct end *end, const void *from)
{
    const bool resent = from == end->last_source && from != last_received;
    end->last_source = from;
    return resent;
}

static void claim_parts(const struct end *end, size_t message_bytes, size_t part_bytes)
{
    size_t left = message_bytes < MOST_CLAIMED_BYTES ? message_bytes : MOST_CLAIMED_BYTES;
    for (uint64_t i = end->parts; left > 0; i++) {
        const size_t part = left < part_bytes ? left : part_bytes;
        claim(end->channel->parts[i % PARTS], part);
        left -= part;
    }
}

/* Copies four pages side by side, a line of each in turn: the processor fetches ahead within each
   page, and one page at a time doesn't keep it busy. 12 to 20 % off 128 KiB to 1 MiB. */
static void copy_part(char *to, const char *from, size_t bytes)
{
    const size_t group = (size_t)PAGES_AT_ONCE * PAGE;
    size_t done = 0;
    for (; done + group <= bytes; done += group)
        for (size_t line = done; line < done + PAGE; line += LINE)
            for (size_t at = line; at < line + group; at += PAGE)
                memcpy(to + at, from + at, LINE);
    memcpy(to + done, from + done, bytes - done);
}

static bool fill_part(struct transfer *message)
{
    struct end *end = message->end;
    struct channel *channel = end->channel;
    const size_t part = message->left < message->part_bytes ? message->left : message->part_bytes;
    if (end->parts - end->parts_freed == PARTS)
        end->parts_freed = atomic_load_explicit(&channel->parts_freed.value, memory_order_acquire);
    if (end->parts - end->parts_freed == PARTS)
        return false;
    copy_part(channel->parts[end->parts % PARTS], message->at, part);
    atomic_store_explicit(&channel->parts_filled.value, ++end->parts, memory_order_release);
    message->at += part;
    message->left -= part;
    return true;
}

static bool empty_part(struct transfer *message)
{
    struct end *end = message->end;
    struct channel *channel = end->channel;
    const size_t part = message->left < message->part_bytes ? message->left : message->part_bytes;
    if (atomic_load_explicit(&channel->parts_filled.value, memory_order_acquire) == end->parts)
        return false;
    copy_part(message->at, channel->parts[end->parts % PARTS], part);
    atomic_store_explicit(&channel->parts_freed.value, ++end->parts, memory_order_release);
    message->at += part;
    message->left -= part;
    return true;
}

/* Moves an outgoing message on as far as it goes without waiting; true when it is all out. */
static bool send_some(struct transfer *message)
{
    struct end *end = message->end;
    if (!message->announced) {
        if (!slot_is_free(end))
            return false;
        put_slot(message);
        message->announced = true;
        end->sources_read += message->source != NULL;
        if (message->left <= FAR_BYTES)
            return true;
    }
    if (message->source)
        return atomic_load_explicit(&end->channel->sources_read.value, memory_order_acquire) ==
               end->sources_read;
    while (message->left > 0)
        if (!fill_part(message))
            return false;
    return true;
}

/* Takes what the slot holds: all of a small message; of a large one, where to find it. */
static void take_slot(struct transfer *message, struct slot *slot)
{
    const size_t bytes = slot->bytes;
    check(slot, message->left, message->tag);
    message->announced = true;
    if (bytes <= FAR_BYTES) {
        memcpy(message->at, payload_of(slot, bytes), bytes);
        message->left = 0;
    } else {
        last_received = message->at;
        message->source = slot->source;
        message->part_bytes = part_bytes_for(bytes);
        message->left = bytes;
    }
    free_slot(message->end);
}

/* Takes an incoming message in as far as it has come; true when it is all here. */
static bool receive_some(struct transfer *message)
{
    struct end *end = message->end;
    if (!message->announced) {
        struct slot *slot = arrived_slot(end);
        if (!slot)
            return false;
        take_slot(message, slot);
    }
    if (message->source) {
        single_copy_read(end->peer, message->at, message->source, message->left);
        atomic_store_explicit(&end->channel->sources_read.value, ++end->sources_read,
                              memory_order_release);
        return true;
    }
    while (message->left > 0)
        if (!empty_part(message))
            return false;
    return true;
}

void tp_send(const void *from, size_t bytes, int peer, int tag)
{
    struct end *end = &outgoing[peer];
    struct transfer message = transfer_of(end, from, bytes, tag);
    if (bytes > FAR_BYTES && single_copy_pays(bytes, is_resent(end, from)))
        message.source = from;
    for (unsigned polls = 0; !send_some(&message);)
        shm_wait(&polls);
    if (bytes > FAR_BYTES && !message.source)
        claim_parts(end, bytes, message.part_bytes);
}

void tp_recv(void *to, size_t bytes, int peer, int tag)
{
    struct transfer message = transfer_of(&incoming[peer], to, bytes, tag);
    for (unsigned polls = 0; !receive_some(&message);)
        shm_wait(&polls);
}

/* Always in parts: both directions then advance together, whatever the order of the ranks. */
void tp_sendrecv(const void *from, size_t send_bytes, int dest, void *to, size_t recv_bytes,
                 int source, int tag)
{
    struct transfer out = transfer_of(&outgoing[dest], from, send_bytes, tag);
    struct transfer in = transfer_of(&incoming[source], to, recv_bytes, tag);
    bool sent = false, received = false;
    for (unsigned polls = 0; !sent || !received; shm_wait(&polls)) {
        sent = sent || send_some(&out);
        received = received || receive_some(&in);
    }
}
