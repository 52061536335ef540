/** What a folding sends, without a look at single ranks. */
#ifndef LEADLINE_MAPPING_FOLDING_COST_H
#define LEADLINE_MAPPING_FOLDING_COST_H

#include "search/folding.h"

/**
 * Hop-bytes of a folding that is wound, exact but for what goes to neighbours across corners; by
 * MAP_HOPS the sum of hops of all directed edges. `adjacent` has room for the longest axis.
 *
 * An edge along a row changes that row's digits alone, as far in all other rows' places: so what it
 * costs is a sum over pairs of digits and over the digits of others in the same column.
 */
double folding_traffic(const struct map_problem *problem, const struct folding *folding, int metric,
                       int64_t *adjacent);

#endif
