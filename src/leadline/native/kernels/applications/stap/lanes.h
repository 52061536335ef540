/**
 * Complex numbers side by side, real parts apart from imaginary ones. A loop over the LANES of them
 * is one that compilers make a few instructions of, and as each lane is computed as if it were
 * alone, what comes out doesn't depend on how many the processor takes at once.
 */
#ifndef LEADLINE_STAP_LANES_H
#define LEADLINE_STAP_LANES_H

#include <stddef.h>
#include <stdlib.h>

enum { LANES = 8 };

/** Before a loop over them inside of another: all of it is written out, so that what it adds up
    stays in registers. */
#if defined __GNUC__ && !defined __clang__
#define WRITTEN_OUT _Pragma("GCC unroll 4")
#else
#define WRITTEN_OUT
#endif

struct lanes {
    double re[LANES], im[LANES];
};

/** Memory for `count` of them, on whole cache lines, all zero; NULL where there is none. */
static inline struct lanes *lanes_make(size_t count)
{
    const size_t bytes = (count > 0 ? count : 1) * sizeof(struct lanes);
    struct lanes *lanes = aligned_alloc(sizeof *lanes, bytes);
    for (size_t i = 0; lanes && i < count; i++)
        lanes[i] = (struct lanes){0};
    return lanes;
}

#endif
