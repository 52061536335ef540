/**
 * What has come to a rank is matched with what waits for it: a message with its receive, an answer
 * with what was asked.
 */
#ifndef LEADLINE_TRACE_MATCHING_H
#define LEADLINE_TRACE_MATCHING_H

#include <stdbool.h>
#include <stddef.h>

#include "backends/queue/queue.h"
#include "backends/trace/wire.h"

/* -- answers ----------------------------------------------------------------------------------- */

/* To what this rank asked of another: it asks one thing at a time and waits for it. */

/** The answer that is waited for. */
struct answer {
    bool came;
    uint64_t value;
    char *to; /* where its payload goes */
};

extern struct answer answer;

/** Gets ready for an answer whose payload goes to `to`. */
void answers_expect(void *to);

/** Takes in a piece of the answer. */
void answers_take(const struct piece *piece, const char *payload);

/** Answers rank `peer`: with a value, and `bytes` bytes at `from`. */
void answers_give(int peer, uint64_t value, const void *from, size_t bytes);

/* -- messages and receives --------------------------------------------------------------------- */

/* Matched by the receiver alone. */

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
