/** Messages and the receives that they are for, matched by the receiver alone. */
#ifndef LEADLINE_TRACE_ARRIVALS_H
#define LEADLINE_TRACE_ARRIVALS_H

#include <stdbool.h>
#include <stddef.h>

#include "backends/queue/queue.h"
#include "backends/trace/piece.h"

/** A receive, or a message in memory that nobody has asked for yet. */
struct arrival {
    struct entry entry; /* among the receives without a message, or the other way round */
    char *at;           /* where its next byte goes */
    size_t bytes;       /* of the message; of a receive, room for it until it has begun */
    size_t left;        /* bytes that have yet to come */
    int64_t depth;      /* of the message */
    int source;
    bool synchronous; /* its sender waits for the receive */
    bool complete;
};

/** Makes room for what arrives from as many ranks as there are. */
void arrivals_open(void);

/**
 * Asks for a message of up to `bytes` bytes of rank `source`, or of ANY_SOURCE, into `to`.
 * `receive` stays in its place until complete.
 */
void arrivals_ask(struct arrival *receive, void *to, size_t bytes, int source, int tag);

/** Takes in a piece of a message. */
void arrivals_take(const struct piece *piece, const char *payload);

#endif
