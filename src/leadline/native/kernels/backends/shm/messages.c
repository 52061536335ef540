/**
 * Messages over shared memory: a ring of slots for each ordered pair of ranks.
 *
 * A small message lies in one slot, up to NEAR_BYTES in the flag's own cache line, so that 8 bytes
 * cost one line's journey. A large one is announced in a slot. Then either it follows in parts
 * through a second ring, the sender filling one part while the receiver empties another, or the
 * receiver reads it where it lies (single_copy.h); the sender chooses and the slot says which.
 *
 * A pair's messages travel in the order in which they were sent. A receive takes the next one at
 * once if that is the one it asked for; else they are matched (matching/requests.h).
 */
#include "backends/shm/messages.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "backends/matching/requests.h"
#include "backends/shm/segment.h"
#include "backends/shm/single_copy.h"
#include "transport/transport.h"

/* -- caches ------------------------------------------------------------------------------------ */

/* What the caches of two cores are told of lines that one writes and the other reads. */

enum { PAGE = 4096, PAGES_AT_ONCE = 4 };

/* Offers the lines just written to the cache that all cores share, so that the receiver needn't
   snoop ours: a quarter off 512 B to 4 KiB, but a loss for the parts of larger messages (CLDEMOTE;
   older processors take it for a no-op). */
static inline void offer(const char *lines, size_t bytes)
{
#ifdef __x86_64__
    for (size_t done = 0; done < bytes; done += LINE)
        __asm__ volatile(".byte 0x0f, 0x1c, 0x07" : : "D"(lines + done) : "memory");
#else
    (void)lines, (void)bytes;
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

/* Copies four pages side by side, a line of each in turn: the processor fetches ahead within each
   page, and one page at a time doesn't keep it busy. 12 to 20 % off 128 KiB to 1 MiB. */
static inline void copy_part(char *to, const char *from, size_t bytes)
{
    const size_t group = (size_t)PAGES_AT_ONCE * PAGE;
    size_t done = 0;
    for (; done + group <= bytes; done += group)
        for (size_t line = done; line < done + PAGE; line += LINE)
            for (size_t at = line; at < line + group; at += PAGE)
                memcpy(to + at, from + at, LINE);
    memcpy(to + done, from + done, bytes - done);
}

/* -- messages ---------------------------------------------------------------------------------- */

enum {
    LEAST_PART_BYTES = 1 << 12,
    MOST_CLAIMED_BYTES = 1 << 16,
};

const char tp_send_algorithm[] = "native";
const char tp_isend_algorithm[] = "native";
const char tp_matching_algorithm[] = "native";

/** What this process knows of its end of a channel, apart from the shared lines. */
struct end {
    struct channel *channel;
    uint32_t slots;       /* used so far */
    uint32_t slots_freed; /* as last seen */
    uint64_t parts;
    uint64_t parts_freed;
    uint64_t sources_read;
    const void *last_source; /* of a large message */
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
        outgoing[peer].channel = &job.channels[job.rank * ranks + peer];
        incoming[peer].channel = &job.channels[peer * ranks + job.rank];
    }
    requests_open(ranks);
}

_Noreturn void wire_fail(const char *text)
{
    shm_fail("messages", text);
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

static inline void put_slot(struct end *end, const struct transfer *message)
{
    struct slot *slot = &end->channel->slots[end->slots % SLOTS];
    const size_t bytes = message->bytes, here = bytes <= FAR_BYTES ? bytes : 0;
    if (bytes <= FAR_BYTES)
        memcpy(payload_of(slot, here), message->at, here);
    else
        slot->source = message->source;
    slot->tag = message->tag; /* after far lines: the receiver polls this one */
    slot->bytes = bytes;
    atomic_store_explicit(&slot->sequence, ++end->slots, memory_order_release);
    offer((const char *)slot, here + LINE);
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

/* Small enough that both ends copy at the same time, large enough that flags cost nothing. */
static size_t part_bytes_for(size_t bytes)
{
    const size_t quarter = (bytes / 4 + LINE - 1) / LINE * LINE;
    if (quarter < LEAST_PART_BYTES)
        return LEAST_PART_BYTES;
    return quarter < PART_BYTES ? quarter : PART_BYTES;
}

/* What goes before the payload is one announcement. */
static inline struct transfer transfer_of(int peer, const void *at, size_t bytes, int tag)
{
    return (struct transfer){peer, tag, bytes, (char *)at, bytes, 1, NULL};
}

struct transfer wire_receive_of(void *to, size_t bytes, int peer, int tag)
{
    return transfer_of(peer, to, bytes, tag);
}

/* Sent from the same place as the last message, and nothing received there since: the bytes are
   as good as certainly still in the receiver's cache. */
static bool is_resent(struct end *end, const void *from)
{
    const bool resent = from == end->last_source && from != last_received;
    end->last_source = from;
    return resent;
}

struct transfer wire_send_of(const void *from, size_t bytes, int peer, int tag)
{
    struct transfer message = transfer_of(peer, from, bytes, tag);
    if (bytes > FAR_BYTES && single_copy_pays(bytes, is_resent(&outgoing[peer], from)))
        message.source = from;
    return message;
}

static void claim_parts(const struct end *end, size_t message_bytes)
{
    const size_t part_bytes = part_bytes_for(message_bytes);
    size_t left = message_bytes < MOST_CLAIMED_BYTES ? message_bytes : MOST_CLAIMED_BYTES;
    for (uint64_t i = end->parts; left > 0; i++) {
        const size_t part = left < part_bytes ? left : part_bytes;
        claim(end->channel->parts[i % PARTS], part);
        left -= part;
    }
}

static size_t next_part(const struct transfer *message)
{
    const size_t part = part_bytes_for(message->bytes);
    return message->left < part ? message->left : part;
}

static bool fill_part(struct end *end, struct transfer *message)
{
    struct channel *channel = end->channel;
    const size_t part = next_part(message);
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

static bool empty_part(struct end *end, struct transfer *message)
{
    struct channel *channel = end->channel;
    const size_t part = next_part(message);
    if (atomic_load_explicit(&channel->parts_filled.value, memory_order_acquire) == end->parts)
        return false;
    copy_part(message->at, channel->parts[end->parts % PARTS], part);
    atomic_store_explicit(&channel->parts_freed.value, ++end->parts, memory_order_release);
    message->at += part;
    message->left -= part;
    return true;
}

/* Moves an outgoing message on as far as it goes without waiting; true when it is all out. */
static inline bool send_some(struct transfer *message)
{
    struct end *end = &outgoing[message->peer];
    if (message->header_left > 0) {
        if (!slot_is_free(end))
            return false;
        put_slot(end, message);
        message->header_left = 0;
        end->sources_read += message->source != NULL;
    }
    if (message->bytes <= FAR_BYTES)
        return true;
    if (message->source)
        return atomic_load_explicit(&end->channel->sources_read.value, memory_order_acquire) ==
               end->sources_read;
    while (message->left > 0)
        if (!fill_part(end, message))
            return false;
    return true;
}

/* Takes what the slot holds: all of a small message; of a large one, where to find it. */
static inline void take_slot(struct end *end, struct transfer *message, struct slot *slot)
{
    const size_t bytes = slot->bytes;
    message->header_left = 0;
    message->bytes = bytes;
    if (bytes <= FAR_BYTES) {
        memcpy(message->at, payload_of(slot, bytes), bytes);
        message->left = 0;
    } else {
        last_received = message->at;
        message->source = slot->source;
        message->left = bytes;
    }
    free_slot(end);
}

/* Takes in what has come of a message after its slot; true when it is all here. */
static inline bool receive_rest(struct end *end, struct transfer *message)
{
    if (message->source) {
        single_copy_read(message->peer, message->at, message->source, message->left);
        atomic_store_explicit(&end->channel->sources_read.value, ++end->sources_read,
                              memory_order_release);
        return true;
    }
    while (message->left > 0)
        if (!empty_part(end, message))
            return false;
    return true;
}

static inline bool is_asked_for(const struct slot *slot, const struct transfer *message)
{
    return slot->tag == message->tag && slot->bytes <= message->bytes;
}

bool wire_send(struct transfer *out)
{
    return send_some(out);
}

bool wire_arrived(int peer, struct envelope *seen)
{
    const struct slot *slot = arrived_slot(&incoming[peer]);
    if (slot)
        *seen = (struct envelope){slot->tag, slot->bytes};
    return slot != NULL;
}

bool wire_receive(struct transfer *in)
{
    struct end *end = &incoming[in->peer];
    if (in->header_left > 0)
        take_slot(end, in, arrived_slot(end));
    return receive_rest(end, in);
}

void wire_wait(int source, unsigned *polls)
{
    (void)source;
    shm_wait(polls);
}

void tp_send(const void *from, size_t bytes, int peer, int tag)
{
    struct transfer message = wire_send_of(from, bytes, peer, tag);
    if (!requests_may_send()) {
        requests_send_and_wait(message);
        return;
    }
    for (unsigned polls = 0; !send_some(&message);)
        shm_wait(&polls);
    if (bytes > FAR_BYTES && !message.source)
        claim_parts(&outgoing[peer], bytes);
}

/* Waits for the peer's next message and takes it in, if it is the one asked for. */
static inline bool receive_next(struct transfer *message)
{
    struct end *end = &incoming[message->peer];
    struct slot *slot;
    unsigned polls = 0;
    while (!(slot = arrived_slot(end)))
        shm_wait(&polls);
    if (!is_asked_for(slot, message))
        return false;
    take_slot(end, message, slot);
    while (!receive_rest(end, message))
        shm_wait(&polls);
    return true;
}

void tp_recv(void *to, size_t bytes, int peer, int tag)
{
    struct transfer message = transfer_of(peer, to, bytes, tag);
    if (!requests_may_receive() || !receive_next(&message))
        requests_receive_and_wait(message);
}

/* Takes in what has come of the peer's next message; false if another one was asked for. */
static inline bool receive_some(struct transfer *message, bool *received)
{
    struct end *end = &incoming[message->peer];
    struct slot *slot = message->header_left > 0 ? arrived_slot(end) : NULL;
    if (slot && !is_asked_for(slot, message))
        return false;
    if (slot)
        take_slot(end, message, slot);
    *received = message->header_left == 0 && receive_rest(end, message);
    return true;
}

/* Both directions advance together; false when the peer's next message isn't the one asked for. */
static bool exchange_next(struct transfer *out, struct transfer *in)
{
    bool sent = false, received = false;
    for (unsigned polls = 0; !sent || !received; shm_wait(&polls)) {
        sent = sent || send_some(out);
        if (!received && !receive_some(in, &received))
            return false;
    }
    return true;
}

/* Always in parts: a single copy has to be waited for. */
void tp_sendrecv(const void *from, size_t send_bytes, int dest, void *to, size_t recv_bytes,
                 int source, int tag)
{
    struct transfer out = transfer_of(dest, from, send_bytes, tag);
    struct transfer in = transfer_of(source, to, recv_bytes, tag);
    if (!requests_may_receive() || !exchange_next(&out, &in))
        requests_exchange(out, in);
}
