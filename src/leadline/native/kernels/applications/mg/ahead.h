/**
 * How an operator passes over fields that no cache holds: what it comes to next is fetched while it
 * computes, a few lines at a time, and vectors are as long as the processor has them. Results are
 * the same to the last bit with and without.
 */
#ifndef LEADLINE_MG_AHEAD_H
#define LEADLINE_MG_AHEAD_H

#include <stdbool.h>

#include "applications/mg/box.h"
#include "patterns/pattern.h"

/* The choice is made while the program is loaded, before sanitisers are ready. */
#if defined __x86_64__ && defined __GLIBC__ && !defined __SANITIZE_ADDRESS__ &&                    \
    !defined __SANITIZE_THREAD__
#define VECTORISED __attribute__((target_clones("avx2", "default")))
#else
#define VECTORISED
#endif

enum {
    LINE = TP_LINE_BYTES / (int)sizeof(double), /* numbers of a cache line */
    STEP = 32,                                  /* numbers computed between fetches */
    NEAR = 2 * 1024 * 1024 / 3 /* bytes of a field, of which a core's caches hold three */
};

/** Whether fields of the box are too long for caches. */
static inline bool is_far(const struct box *box)
{
    return box_size(box) * sizeof(double) > NEAR;
}

/** Where the step that begins at `first` of `count` numbers ends: they are one step unless they are
    far. */
static inline size_t step_end(size_t first, size_t count, bool far)
{
    return far && first + STEP < count ? first + STEP : count;
}

/** Begins to fetch the line of a number, which may lie behind the field. */
static inline void fetch(const double *number)
{
    __builtin_prefetch(number, 0, 2);
}

/** The same for numbers first .. end - 1 of a row. */
static inline void fetch_part(const double *row, size_t first, size_t end)
{
    for (size_t x = first; x < end; x += LINE)
        fetch(row + x);
}

#endif
