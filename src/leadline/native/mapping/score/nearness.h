/** Bounds by how many slots are near: whom a rank can't have near it, it has further away. */
#ifndef LEADLINE_MAPPING_NEARNESS_H
#define LEADLINE_MAPPING_NEARNESS_H

#include "problem/problem.h"

/** What distances count: whether nodes differ, or hops. */
enum nearness { NEAR_NODES, NEAR_HOPS };

/**
 * The sum over ranks of the scalar product of weights, the largest first, and distances of other
 * slots, the shortest first: no rank can have less (the product of Gilmore's bound, 1962). Each
 * pair counts half at both its ends or, which is more where some have many neighbours, at one of
 * them. Returns MAP_OK or MAP_NO_MEMORY.
 */
int least_by_ranks(const struct map_problem *problem, bool weighted, enum nearness nearness,
                   double *sum);

/**
 * The same product of all pairs of ranks with all pairs of slots, by hops. Only where hops are in a
 * table and no rank stands twice in a row; otherwise 0. Returns MAP_OK or MAP_NO_MEMORY.
 */
int least_by_pairs(const struct map_problem *problem, bool weighted, double *sum);

/**
 * The most that a rank sends to others than the so many ranks beside it that a node has room for.
 * Returns MAP_OK or MAP_NO_MEMORY.
 */
int most_sent_away(const struct map_problem *problem, double *sent);

#endif
