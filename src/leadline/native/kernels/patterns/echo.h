/**
 * Messages that ranks 0 and 1 send there and back: whose bytes they have, filled and checked. A
 * rank's message begins `at` bytes into its slot and is `bytes` bytes long.
 */
#ifndef LEADLINE_PATTERNS_ECHO_H
#define LEADLINE_PATTERNS_ECHO_H

#include "patterns/pattern.h"

/** One way of sending such a message: the two ends of it. */
struct way {
    void (*send)(const struct cell *cell, long repetition);
    void (*receive)(const struct cell *cell, long repetition);
};

/** Echoing, rank 1 sends back what rank 0 sent; else each rank's messages are its own. */
static inline int sender_to(const struct cell *cell, int rank)
{
    return cell->in.base == cell->out.base ? 0 : 1 - rank;
}

/** Whether this rank's messages are its own. */
static inline bool sends_its_own(const struct cell *cell)
{
    return sender_to(cell, 1 - cell->rank) == cell->rank;
}

/** Overwrites the memory that `repetition`'s message arrives in. */
static inline void echo_clear(const struct cell *cell, long repetition, size_t at, size_t bytes)
{
    payload_clear(ring_at(&cell->in, repetition) + at, bytes, sender_to(cell, cell->rank),
                  contents_of(cell, repetition) + at);
}

static inline void echo_fill(const struct cell *cell, long repetition, size_t at, size_t bytes)
{
    echo_clear(cell, repetition, at, bytes);
    if (sends_its_own(cell))
        payload_fill(ring_at(&cell->out, repetition) + at, bytes, cell->rank,
                     contents_of(cell, repetition) + at);
}

static inline bool echo_check(const struct cell *cell, long repetition, size_t at, size_t bytes,
                              struct mismatch *mismatch)
{
    return payload_check(ring_at(&cell->in, repetition) + at, bytes, sender_to(cell, cell->rank),
                         contents_of(cell, repetition) + at, mismatch);
}

#endif
