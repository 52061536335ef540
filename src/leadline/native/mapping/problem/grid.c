#include "problem/grid.h"

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
