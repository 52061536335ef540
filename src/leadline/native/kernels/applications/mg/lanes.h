/**
 * A few numbers that lie side by side in a row and are computed at once, by the same operations as
 * each would be alone. Compilers make of them what vectors a processor has.
 */
#ifndef LEADLINE_MG_LANES_H
#define LEADLINE_MG_LANES_H

#include "patterns/pattern.h"

enum { LANES = 4 };

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

/** The same in memory, where they begin at any number. */
typedef double stored_lanes
    __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double)), may_alias));

#if defined __clang__ || __GNUC__ >= 12
#define SHUFFLED __builtin_shufflevector
#else
typedef long lane_numbers __attribute__((vector_size(LANES * sizeof(long))));
#define SHUFFLED(a, b, ...) __builtin_shuffle(a, b, (lane_numbers){__VA_ARGS__})
#endif

/** Before a loop of a few turns: written out, so that what it fills stays in registers. */
#if defined __clang__
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED _Pragma("GCC unroll 8")
#endif

INLINED lanes load(const double *row)
{
    return *(const stored_lanes *)row;
}

INLINED void store(double *row, lanes numbers)
{
    *(stored_lanes *)row = numbers;
}

/** Each number's neighbour to the left, where `last` are the numbers before. */
INLINED lanes left_of(lanes numbers, lanes last)
{
    return SHUFFLED(last, numbers, 3, 4, 5, 6);
}

/** Each number's neighbour to the right, where `next` are the numbers behind. */
INLINED lanes right_of(lanes numbers, lanes next)
{
    return SHUFFLED(numbers, next, 1, 2, 3, 4);
}

#endif
