#include "search/cells.h"

#include <stdlib.h>
#include <string.h>

#include "search/orders.h"

/* -- boxes ------------------------------------------------------------------------------------- */

struct box box_of(const struct grid *grid)
{
    struct box box = {0};
    for (int axis = 0; axis < grid->ndims; axis++)
        box.size[axis] = grid->dims[axis];
    return box;
}

int64_t box_volume(const struct grid *grid, const struct box *box)
{
    int64_t volume = 1;
    for (int axis = 0; axis < grid->ndims; axis++)
        volume *= box->size[axis];
    return volume;
}

int box_cheapest_axis(const struct grid *grid, const struct box *box)
{
    int best = 0;
    for (int axis = 1; axis < grid->ndims; axis++) {
        const double cost = weight_along(grid, axis) * box->size[best];
        const double best_cost = weight_along(grid, best) * box->size[axis];
        const bool both = box->size[axis] > 1 && box->size[best] > 1;
        if (both ? cost < best_cost : box->size[axis] > 1)
            best = axis;
    }
    return best;
}

void box_cut(const struct box *box, int axis, int32_t place, struct box parts[2])
{
    const struct box whole = *box;
    parts[0] = parts[1] = whole;
    parts[0].size[axis] = place;
    parts[1].low[axis] += place;
    parts[1].size[axis] -= place;
}

void box_list(const struct grid *grid, const struct box *box, int32_t *order, int32_t *count)
{
    const int last = grid->ndims - 1;
    int32_t at[MAP_MOST_DIMS] = {0};
    for (int axis = 0; axis >= 0;) {
        int32_t rank = 0;
        for (int k = 0; k < grid->ndims; k++)
            rank = rank * grid->dims[k] + box->low[k] + at[k];
        for (int32_t k = 0; k < box->size[last]; k++)
            order[(*count)++] = rank + k;
        for (axis = last - 1; axis >= 0 && ++at[axis] == box->size[axis]; axis--)
            at[axis] = 0;
    }
}

void list_cells(const struct map_problem *problem, int32_t *cells)
{
    const int ndims = problem->grid.ndims;
    int32_t at[MAP_MOST_DIMS] = {0};
    for (int32_t rank = 0; rank < problem->ranks; rank++, next_cell(&problem->grid, at))
        for (int axis = 0; axis < ndims; axis++)
            cells[(size_t)rank * (size_t)ndims + (size_t)axis] = at[axis];
}

void offer_on_nodes(struct contest *contest, const int32_t *order)
{
    const struct map_problem *problem = contest->problem;
    if (problem->network.kind == MAP_TORUS || problem->network.switches[0] == 1) {
        contest_offer_orders(contest, order, problem->slots_by_node);
        return;
    }
    if (!contest->by_switch) {
        const struct axis_order levels = axis_order_first(problem->network.ndims);
        contest->by_switch = contest_list(contest, problem->ranks);
        if (contest->by_switch)
            sort_slots(contest, &levels, contest->by_switch);
    }
    if (contest->status == MAP_OK)
        contest_offer_orders(contest, order, contest->by_switch);
}

/* -- bricks ------------------------------------------------------------------------------------ */

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
