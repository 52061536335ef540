/** Ranks in their order on slots sorted by their coordinates: at once, and layer by layer. */
#include <stdlib.h>
#include <string.h>

#include "methods/methods.h"
#include "problem/array.h"
#include "search/orders.h"

/* -- the sort of coordinates ------------------------------------------------------------------- */

/*
 * The sort of coordinates (Mueller and Resch 1998): ranks in their order on slots sorted by their
 * coordinates, for each order of the axes. In a tree the axes are the levels, from the top down.
 */

void offer_sort(struct contest *contest)
{
    const struct map_problem *problem = contest->problem;
    int32_t *ranks = contest_list(contest, problem->ranks);
    int32_t *slots = contest_list(contest, problem->ranks);
    struct axis_order order = axis_order_first(problem->network.ndims);
    bool more = ranks && slots;
    while (more && contest_open(contest)) {
        sort_slots(contest, &order, slots);
        contest_offer_orders(contest, ranks, slots);
        more = problem->network.kind == MAP_TORUS && axis_order_next(&order);
    }
    free(ranks);
    free(slots);
}

/* -- the hierarchical sort --------------------------------------------------------------------- */

/*
 * The hierarchical sort: slots sorted along one axis are cut into as many equal parts as the grid
 * has layers, each of them sorted along another axis and cut into rows, and so on. Unlike a plain
 * sort it keeps layers together where the allocation has holes.
 */

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
