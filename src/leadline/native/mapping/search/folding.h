/**
 * A folding: each axis of the grid is a product of parts of axes of the box that the nodes fill.
 *
 * The parts of an axis are the digits of a reflected number (a Gray code): where a coordinate
 * changes by 1, one digit changes by 1. So a line of the grid winds through the network like a
 * snake, and an axis of the network is folded out of the parts that share it.
 */
#ifndef LEADLINE_MAPPING_FOLDING_H
#define LEADLINE_MAPPING_FOLDING_H

#include "problem/problem.h"

enum { FOLDED_AXES = 6 };

/** Digits of one number: the indices of their axes, the most significant first. */
struct digits {
    int count;
    int axis[FOLDED_AXES];
};

/** Rows are axes of the grid, columns axes of the box, both without those of length 1. */
struct folding {
    int rows, columns;
    int grid_axis[FOLDED_AXES], network_axis[FOLDED_AXES];
    int32_t grid[FOLDED_AXES], box[FOLDED_AXES]; /**< lengths */
    int32_t *coordinates[FOLDED_AXES];       /**< [box] of each place along the network's axis */
    int32_t parts[FOLDED_AXES][FOLDED_AXES]; /**< products of rows: grid, of columns: box */
    struct digits of_row[FOLDED_AXES], of_column[FOLDED_AXES];
    bool closed[FOLDED_AXES]; /**< the line through a row's two parts ends beside its beginning */
    int32_t (*digits[FOLDED_AXES])[FOLDED_AXES]; /**< [grid] of each coordinate, by column */
};

/**
 * The lengths of a folding of `problem`, which needs no edges; the parts are to be filled in.
 * Returns MAP_OK, MAP_NO_MEMORY, or MAP_NOT_APPLICABLE where nodes of one slot don't fill a box,
 * perhaps with whole planes missing between. To be freed in any case.
 */
int folding_make(const struct map_problem *problem, struct folding *folding);
void folding_free(struct folding *folding);

/** Winds lines as the bits of `choices` say: in which order, and closed or not; false: they say
 * more. */
bool folding_wind(struct folding *folding, unsigned choices);

/** The place along the box's axis `column` of the digits ([rows]) that the rows have there. */
int32_t folding_place(const struct folding *folding, int column, const int32_t *digits);

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
