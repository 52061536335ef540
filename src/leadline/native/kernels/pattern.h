/**
 * What a pattern is: one timed loop, and how to tell that it moved the right bytes.
 *
 * A pattern file includes this header alone. It defines a `const struct pattern` and its loop;
 * one line in patterns.c adds it to the table. The loop holds the operation and nothing else: what
 * varies from one repetition to the next comes out of the rings, prepared before.
 */
#ifndef LEADLINE_PATTERN_H
#define LEADLINE_PATTERN_H

#include "clock.h"
#include "options.h"
#include "payload.h"
#include "transport.h"

/** Message addresses for successive repetitions: slot i is `slots[i & mask]`. */
struct ring {
    char **slots;
    size_t mask;      /* number of slots - 1; the number is a power of two */
    const char *base; /* slots lie at multiples of 64 bytes from here */
};

static inline char *ring_at(const struct ring *ring, long repetition)
{
    return ring->slots[(size_t)repetition & ring->mask];
}

/** What is being measured: the same on every rank but for `rank`. */
struct cell {
    size_t size_bytes;
    int rank;
    int ranks; /* of the job */
    int root;
    int chosen[OPTIONS]; /* index of the word of each option */
    struct ring out;     /* messages leave from here */
    struct ring in;      /* and arrive here; the same memory as `out` under the echo policy */
    uint64_t *words;     /* of symmetric patterns: see word_at */
};

enum { WORDS_PER_LINE = 8, SPARE_WORDS = 64 };

/** Symmetric word `i` of ranks + SPARE_WORDS, on a line of its own; 0 after each `fill`. */
static inline uint64_t *word_at(const struct cell *cell, int i)
{
    return cell->words + (ptrdiff_t)i * WORDS_PER_LINE;
}

enum cadence { CADENCE_STREAMING, CADENCE_ISOLATED };
enum whose_time { WHOSE_ROOT, WHOSE_SLOWEST };

struct pattern {
    const char *name;
    const char *summary;
    const char *algorithm;       /* tp_X_algorithm of the operation measured; "absent": can't run */
    int participants;            /* ranks 0 .. participants - 1 take part; 0: all of them */
    int messages_per_repetition; /* what a repetition's time is divided by: 2 for a round trip */
    size_t granularity;          /* sizes are multiples of this; 0: the pattern has no size */
    size_t least_bytes;          /* the smallest size that means something */
    bool keeps_input;            /* `in` never shares memory with `out` */
    unsigned options;            /* that it takes: bits 1u << OPTION_X */
    bool out_per_rank;           /* `out` has room for a block of size_bytes for each rank */
    bool in_per_rank;            /* and so has `in` */
    bool symmetric;              /* both lie in symmetric memory, and there are words */
    enum whose_time whose_time;
    enum cadence cadence; /* the one used unless the user asks for the other */

    /** Runs repetitions first .. last - 1. Timed. */
    void (*run)(const struct cell *cell, long first, long last);

    /** Puts known bytes where `repetition` sends from, other bytes where it receives. */
    void (*fill)(const struct cell *cell, long repetition);

    /** True if `repetition` left the right bytes on this rank; else sets *mismatch. */
    bool (*check)(const struct cell *cell, long repetition, struct mismatch *mismatch);

    /** Where run, fill and check can't tell: a pass of its own, with checks inside; or NULL. */
    bool (*validate)(const struct pattern *self, const struct cell *cell,
                     struct mismatch *mismatch);
};

#endif
