/**
 * Breadth first: the ranks of a graph in the order in which a search from one at its rim comes to
 * them (Cuthill and McKee 1969), on slots node by node; neighbours in the graph stay near.
 */
#include <stdlib.h>

#include "methods/methods.h"
#include "search/cells.h"

/** Appends all ranks that can be reached from `first` to `order` at `*count`; gives the last. */
static int32_t search(const struct map_problem *problem, int32_t first, bool *seen, int32_t *order,
                      int32_t *count)
{
    const struct edges *edges = &problem->edges;
    int32_t next = *count;
    seen[first] = true;
    order[(*count)++] = first;
    for (; next < *count; next++) {
        for (int64_t e = edges->starts[order[next]]; e < edges->starts[order[next] + 1]; e++) {
            const int32_t neighbour = edges->neighbours[e];
            if (seen[neighbour])
                continue;
            seen[neighbour] = true;
            order[(*count)++] = neighbour;
        }
    }
    return order[next - 1];
}

/** Each part of the graph, searched from the rank that a search from its first one reaches last. */
static void order_parts(const struct map_problem *problem, bool *seen, int32_t *order)
{
    int32_t count = 0;
    for (int32_t rank = 0; rank < problem->ranks; rank++) {
        if (seen[rank])
            continue;
        const int32_t begin = count;
        const int32_t rim = search(problem, rank, seen, order, &count);
        for (int32_t k = begin; k < count; k++)
            seen[order[k]] = false;
        count = begin;
        search(problem, rim, seen, order, &count);
    }
}

void offer_breadth_first(struct contest *contest)
{
    const struct map_problem *problem = contest->problem;
    if (problem->grid.ndims > 0)
        return;
    bool *seen = calloc((size_t)problem->ranks, sizeof *seen);
    int32_t *order = contest_list(contest, problem->ranks);
    if (seen && order) {
        order_parts(problem, seen, order);
        offer_on_nodes(contest, order);
    } else {
        contest->status = MAP_NO_MEMORY;
    }
    free(seen);
    free(order);
}
