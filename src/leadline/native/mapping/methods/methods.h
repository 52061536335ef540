/** The methods: each offers candidates to a contest until it is closed, or none. */
#ifndef LEADLINE_MAPPING_METHODS_H
#define LEADLINE_MAPPING_METHODS_H

#include "search/contest.h"

void offer_bricks(struct contest *contest);
void offer_strips(struct contest *contest);
void offer_hyperplane(struct contest *contest);
void offer_kd_tree(struct contest *contest);
void offer_fold(struct contest *contest);
void offer_sort(struct contest *contest);
void offer_hierarchical_sort(struct contest *contest);
void offer_bisection(struct contest *contest);
void offer_hilbert(struct contest *contest);
void offer_breadth_first(struct contest *contest);
void offer_scotch(struct contest *contest);
void offer_hierarchical(struct contest *contest);

/**
 * Hop-bytes of the best folding of a grid, whose edges needn't be made, and of bricks mapped onto
 * nodes; infinite: there is none.
 */
int forecast_fold(const struct map_problem *problem, double *traffic);
int forecast_hierarchical(const struct map_problem *problem, double *traffic);

/** These two start from the best candidate so far. */
void offer_swaps(struct contest *contest);
void offer_annealing(struct contest *contest);

#endif
