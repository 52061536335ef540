/** The problem classes of NAS MG: how fine, how smoothed, and what must come out. */
#ifndef LEADLINE_MG_CLASSES_H
#define LEADLINE_MG_CLASSES_H

#include <stddef.h>
#include <stdint.h>

#include "patterns/pattern.h"

/** The finest grid of all classes has 2^MOST_LEVELS points along each axis. */
enum { MOST_LEVELS = 9, MOST_POINTS = 1 << MOST_LEVELS };

/** Weights of the smoothing operator by kind of neighbour; that of the corners is 0. */
struct smoother {
    double centre, face, edge;
};

struct grid_class {
    int levels; /* the finest grid has 2^levels points along each axis, the coarsest 2 */
    struct smoother smoother;
    double norm; /* sqrt(sum r^2 / points) in the end, as NPB 3.3 publishes it */
};

/** By enum class_word. */
extern const struct grid_class grid_classes[CLASSES];

/** How far a norm may be from the published one, relatively, as NPB says. */
extern const double norm_tolerance;

/** Points along each axis of grid `level`. */
static inline size_t points_along(int level)
{
    return (size_t)1 << level;
}

/** Points of grid `level`. */
static inline size_t points_of(int level)
{
    return (size_t)1 << 3 * level;
}

/* -- charges ----------------------------------------------------------------------------------- */

/* The right side of the problem: 20 unit charges where pseudo-random numbers are extreme. */

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
