#include "search/cells.h"

#include <stdlib.h>

#include "search/orders.h"

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
