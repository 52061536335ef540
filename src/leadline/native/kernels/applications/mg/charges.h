/** The right side of the problem: 20 unit charges where pseudo-random numbers are extreme. */
#ifndef LEADLINE_MG_CHARGES_H
#define LEADLINE_MG_CHARGES_H

#include <stddef.h>
#include <stdint.h>

enum { CHARGES_OF_A_SIGN = 10, CHARGES = 2 * CHARGES_OF_A_SIGN };

struct charge {
    size_t at[3]; /* from 0, x first */
    double value; /* 1 or -1 */
};

/**
 * The charges of a grid of 2^level points along each axis: 1 at the ten points with the largest
 * numbers, the largest first, then -1 at those with the smallest, the smallest first. Every rank
 * finds all of them by itself.
 */
void charges_find(int level, struct charge charges[CHARGES]);

#endif
