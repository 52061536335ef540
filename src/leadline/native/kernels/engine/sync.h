/**
 * Our own synchronisation among the first `participants` ranks, over tp_send and tp_recv alone:
 * never the measured library's collectives, whose algorithm would change the result.
 * All of it runs outside timed batches. With one participant, nothing is sent.
 */
#ifndef LEADLINE_SYNC_H
#define LEADLINE_SYNC_H

#include <stddef.h>
#include <stdint.h>

/** Tags of the engine's own messages: below those of patterns' helpers and of fallbacks. */
enum {
    TAG_SHORTCUT = 32732,
    TAG_FIT,
    TAG_PING,
    TAG_GATHER,
    TAG_BARRIER,
    TAG_BROADCAST,
    TAG_MAX,
};

/** Returns when all participants have called it; ceil(log2 participants) rounds. */
void sync_barrier(int participants);

/**
 * Returns when all participants have called it, as sync_barrier, by 2 (participants - 1) messages
 * in all: many times fewer where ranks are many, but they leave it less closely together.
 */
void sync_meet(int participants);

/** Copies rank 0's `bytes` bytes to all participants. */
void sync_broadcast_bytes(void *from, size_t bytes, int participants);

/** Copies rank 0's *value to all participants. */
void sync_broadcast(int64_t *value, int participants);

/**
 * Brings items of `bytes` bytes together: rank r's is at its place in `items`, which has room for
 * all; rank 0 then has everybody's, in order, others those of a part.
 */
void sync_gather(void *items, size_t bytes, int participants);

/** The largest of all participants' values (none negative), on rank 0; elsewhere that of a part. */
int64_t sync_max(int64_t value, int participants);

#endif
