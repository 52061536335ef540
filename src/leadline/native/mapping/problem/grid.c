#include "problem/grid.h"

#include <math.h>

int grid_make(const struct map_pattern *pattern, struct grid *grid, int64_t *ranks)
{
    if (pattern->ndims < 1 || pattern->ndims > MAP_MOST_DIMS)
        return MAP_BAD_DIMS;
    *ranks = 1;
    for (int axis = 0; axis < pattern->ndims; axis++) {
        const int64_t length = pattern->dims[axis];
        if (length < 1)
            return MAP_BAD_DIMS;
        if (*ranks > (INT32_MAX - 1) / length)
            return MAP_TOO_LARGE;
        *ranks *= length;
        grid->dims[axis] = (int32_t)length;
        grid->periodic[axis] = pattern->periodic[axis];
    }
    for (int k = 0; k < 2 * pattern->ndims; k++) {
        grid->weights[k] = pattern->weights[k];
        if (!isfinite(grid->weights[k]) || grid->weights[k] < 0)
            return MAP_BAD_WEIGHT;
    }
    grid->ndims = pattern->ndims;
    grid->diagonals = pattern->diagonals;
    return MAP_OK;
}

void next_cell(const struct grid *grid, int32_t *at)
{
    for (int axis = grid->ndims - 1; axis >= 0; axis--) {
        if (++at[axis] < grid->dims[axis])
            return;
        at[axis] = 0;
    }
}

double weight_along(const struct grid *grid, int axis)
{
    return grid->dims[axis] > 1 ? grid->weights[2 * axis] + grid->weights[2 * axis + 1] : 0;
}
