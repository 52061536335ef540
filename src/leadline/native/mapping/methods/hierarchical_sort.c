/**
 * The hierarchical sort: slots sorted along one axis are cut into as many equal parts as the grid
 * has layers, each of them sorted along another axis and cut into rows, and so on. Unlike a plain
 * sort it keeps layers together where the allocation has holes.
 */
#include <stdlib.h>

#include "methods/methods.h"
#include "problem/array.h"
#include "problem/sort.h"
#include "search/orders.h"

/** Sorts the slots along `axis` within parts of `part` slots each. */
static void sort_parts(struct contest *contest, int axis, int32_t part, uint64_t *keys,
                       int32_t *slots)
{
    const struct map_problem *problem = contest->problem;
    for (int32_t k = 0; k < problem->ranks; k++) {
        const int32_t at = place_of(problem, problem->node_of_slot[slots[k]])[axis];
        keys[k] = (uint64_t)(k / part) << 32 | (uint64_t)at;
    }
    if (sort_by_key(keys, slots, problem->ranks) != MAP_OK)
        contest->status = MAP_NO_MEMORY;
}

static void offer_order(struct contest *contest, const struct axis_order *order, uint64_t *keys,
                        const int32_t *ranks, int32_t *slots)
{
    const struct grid *grid = &contest->problem->grid;
    int32_t part = contest->problem->ranks;
    int axis = 0;
    sort_slots(contest, order, slots);
    for (int k = 0; k < grid->ndims && axis < order->ndims; k++) {
        if (grid->dims[k] == 1)
            continue;
        sort_parts(contest, order->axis[axis++], part, keys, slots);
        part /= grid->dims[k];
    }
    contest_offer_orders(contest, ranks, slots);
}

void offer_hierarchical_sort(struct contest *contest)
{
    const struct map_problem *problem = contest->problem;
    struct axis_order order = axis_order_first(problem->network.ndims);
    if (problem->grid.ndims == 0 || problem->network.kind != MAP_TORUS)
        return;
    uint64_t *keys = array_of(problem->ranks, sizeof *keys);
    int32_t *ranks = contest_list(contest, problem->ranks);
    int32_t *slots = contest_list(contest, problem->ranks);
    if (!keys)
        contest->status = MAP_NO_MEMORY;
    for (bool more = true; more && contest_open(contest); more = axis_order_next(&order))
        offer_order(contest, &order, keys, ranks, slots);
    free(keys);
    free(ranks);
    free(slots);
}
