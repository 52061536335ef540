#include "search/orders.h"

#include <stdlib.h>

#include "problem/array.h"

struct axis_order axis_order_first(int ndims)
{
    struct axis_order order = {.ndims = ndims};
    for (int k = 0; k < ndims; k++)
        order.axis[k] = k;
    return order;
}

static void trade(int *a, int *b)
{
    const int kept = *a;
    *a = *b;
    *b = kept;
}

bool axis_order_next(struct axis_order *order)
{
    int *axis = order->axis, from = order->ndims - 2, to = order->ndims - 1;
    while (from >= 0 && axis[from] > axis[from + 1])
        from--;
    if (from < 0)
        return false;
    while (axis[to] < axis[from])
        to--;
    trade(&axis[from], &axis[to]);
    for (int low = from + 1, high = order->ndims - 1; low < high; low++, high--)
        trade(&axis[low], &axis[high]);
    return true;
}

/** Sorts `slots` stably by one coordinate of their nodes. */
static int sort_by_axis(const struct map_problem *problem, int axis, uint64_t *keys, int32_t *slots)
{
    for (int32_t k = 0; k < problem->ranks; k++)
        keys[k] = (uint64_t)place_of(problem, problem->node_of_slot[slots[k]])[axis];
    return sort_by_key(keys, slots, problem->ranks);
}

void sort_slots(struct contest *contest, const struct axis_order *order, int32_t *slots)
{
    const struct map_problem *problem = contest->problem;
    uint64_t *keys = array_of(problem->ranks, sizeof *keys);
    int status = keys ? MAP_OK : MAP_NO_MEMORY;
    for (int32_t k = 0; k < problem->ranks; k++)
        slots[k] = problem->slots_by_node[k];
    for (int k = order->ndims - 1; k >= 0 && status == MAP_OK; k--) {
        const bool tree = problem->network.kind == MAP_TREE;
        status = sort_by_axis(problem, order->axis[tree ? order->ndims - 1 - k : k], keys, slots);
    }
    if (status != MAP_OK)
        contest->status = status;
    free(keys);
}
