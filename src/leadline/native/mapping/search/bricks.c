#include "search/bricks.h"

#include <string.h>

#include "search/cells.h"

static double weight_cut(const struct grid *grid, const int32_t *size)
{
    double cut = 0;
    for (int axis = 0; axis < grid->ndims; axis++) {
        const int32_t bricks = grid->dims[axis] / size[axis];
        const int32_t cuts = grid->periodic[axis] && bricks > 1 ? bricks : bricks - 1;
        cut += weight_along(grid, axis) * cuts / grid->dims[axis];
    }
    return cut;
}

static void keep(struct bricks *bricks, const struct grid *grid, const int32_t *size)
{
    const double cut = weight_cut(grid, size);
    int place = bricks->count;
    if (place == MOST_BRICKS && cut >= bricks->cut[--place])
        return;
    for (; place > 0 && bricks->cut[place - 1] > cut; place--) {
        bricks->cut[place] = bricks->cut[place - 1];
        memcpy(bricks->size[place], bricks->size[place - 1], sizeof bricks->size[place]);
    }
    bricks->cut[place] = cut;
    memcpy(bricks->size[place], size, sizeof bricks->size[place]);
    bricks->count += bricks->count < MOST_BRICKS;
}

/** Gives `axis` every length that divides both the grid's and what is left of the brick. */
static void divide(struct bricks *bricks, const struct grid *grid, int axis, int32_t left,
                   int32_t *size)
{
    if (axis == grid->ndims) {
        if (left == 1)
            keep(bricks, grid, size);
        return;
    }
    for (int32_t length = 1; length <= left && length <= grid->dims[axis]; length++) {
        if (left % length || grid->dims[axis] % length)
            continue;
        size[axis] = length;
        divide(bricks, grid, axis + 1, left / length, size);
    }
}

struct bricks find_bricks(const struct grid *grid, int32_t cores)
{
    struct bricks bricks = {0};
    int32_t size[MAP_MOST_DIMS] = {0};
    divide(&bricks, grid, 0, cores, size);
    return bricks;
}

void list_bricks(const struct map_problem *problem, const int32_t *size, int32_t *order)
{
    const struct grid *grid = &problem->grid;
    struct box brick = {0};
    int32_t count = 0;
    memcpy(brick.size, size, sizeof brick.size);
    for (int axis = 0; axis >= 0;) {
        box_list(grid, &brick, order, &count);
        for (axis = grid->ndims - 1; axis >= 0; axis--) {
            brick.low[axis] += size[axis];
            if (brick.low[axis] < grid->dims[axis])
                break;
            brick.low[axis] = 0;
        }
    }
}
