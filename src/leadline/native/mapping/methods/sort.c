/**
 * The sort of coordinates (Mueller and Resch 1998): ranks in their order on slots sorted by their
 * coordinates, for each order of the axes. In a tree the axes are the levels, from the top down.
 */
#include "problem/sort.h"

#include <stdlib.h>
#include <string.h>

#include "methods/methods.h"
#include "search/orders.h"

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
