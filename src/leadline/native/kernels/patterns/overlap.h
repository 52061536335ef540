/**
 * Computation beside a non-blocking operation: a chain of multiplications in a register, which
 * touches no memory and can't be shortened. Its amount is fixed, not its time: what the library
 * takes of the processor meanwhile lengthens it, and shows.
 */
#ifndef LEADLINE_OVERLAP_H
#define LEADLINE_OVERLAP_H

#include <stdint.h>

#include "transport/requests.h"

enum { OVERLAP_SLOT = 0 };

/** How much is computed in each repetition: nothing where `parts` is 0. */
struct work {
    long iterations; /* of each part */
    int parts;       /* between two of them the operation is tested once */
};

static inline void compute(long iterations)
{
    uint64_t chain = 1;
    for (long i = 0; i < iterations; i++) {
        chain = chain * 0x5851F42D4C957F2Du + 1;
        __asm__ volatile("" : "+r"(chain));
    }
}

/** Computes between the start of the operation in OVERLAP_SLOT and the wait for it. */
static inline void overlap(struct work work)
{
    for (int part = 0; part < work.parts; part++) {
        if (part > 0)
            tp_test(OVERLAP_SLOT);
        compute(work.iterations);
    }
}

#endif
