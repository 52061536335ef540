/**
 * Recursive coordinate bisection (Berger and Bokhari 1987) of ranks and slots together: both are
 * halved across their longest axes until single ones are left; the low half goes to the low half.
 * In a tree slots are halved between switches, nearest to the middle.
 */
#include <stdlib.h>

#include "methods/methods.h"
#include "problem/array.h"
#include "search/cells.h"
#include "search/orders.h"

struct bisection {
    struct contest *contest;
    int32_t *cells; /**< [ranks][axes of the grid] */
    uint64_t *keys;
    int32_t *ranks, *slots;
    bool whole_layers; /**< cuts lie between layers of the grid where one is near to the middle */
};

static const int32_t *cell(const struct bisection *bisection, int32_t rank)
{
    const int ndims = bisection->contest->problem->grid.ndims;
    return bisection->cells + (size_t)rank * (size_t)ndims;
}

static const int32_t *place(const struct bisection *bisection, int32_t slot)
{
    const struct map_problem *problem = bisection->contest->problem;
    return place_of(problem, problem->node_of_slot[slot]);
}

typedef const int32_t *coordinates_of(const struct bisection *bisection, int32_t item);

/** The axis along which `items` reach farthest; of equal ones the first. */
static int longest_axis(const struct bisection *bisection, coordinates_of *of, int ndims,
                        const int32_t *items, int32_t count)
{
    int32_t longest = -1;
    int best = 0;
    for (int axis = 0; axis < ndims; axis++) {
        int32_t low = INT32_MAX, high = 0;
        for (int32_t k = 0; k < count; k++) {
            const int32_t at = of(bisection, items[k])[axis];
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        if (high - low > longest) {
            longest = high - low;
            best = axis;
        }
    }
    return best;
}

static void sort_along(struct bisection *bisection, coordinates_of *of, int axis, int32_t *items,
                       int32_t count)
{
    for (int32_t k = 0; k < count; k++)
        bisection->keys[k] = (uint64_t)of(bisection, items[k])[axis];
    if (sort_by_key(bisection->keys, items, count) != MAP_OK)
        bisection->contest->status = MAP_NO_MEMORY;
}

/** The place in a sorted list nearest to the middle where coordinates change; 0: nowhere near. */
static int32_t change_near_middle(const struct bisection *bisection, coordinates_of *of, int axis,
                                  const int32_t *items, int32_t count)
{
    for (int32_t away = 0; away < count / 4; away++) {
        for (int32_t side = -1; side <= 1; side += 2) {
            const int32_t at = count / 2 + side * away;
            if (at > 0 && of(bisection, items[at])[axis] != of(bisection, items[at - 1])[axis])
                return at;
        }
    }
    return 0;
}

/** Where slots in the order of a tree are cut: at the highest switch that changes near the middle.
 */
static int32_t cut_tree(const struct bisection *bisection, const int32_t *slots, int32_t count)
{
    for (int level = bisection->contest->problem->network.ndims - 1; level >= 0; level--) {
        const int32_t at = change_near_middle(bisection, place, level, slots, count);
        if (at > 0)
            return at;
    }
    return count / 2;
}

static void bisect(struct bisection *bisection, int32_t first, int32_t count)
{
    const struct map_problem *problem = bisection->contest->problem;
    int32_t *ranks = bisection->ranks + first, *slots = bisection->slots + first;
    if (count < 2 || bisection->contest->status != MAP_OK)
        return;
    const int axis = longest_axis(bisection, cell, problem->grid.ndims, ranks, count);
    sort_along(bisection, cell, axis, ranks, count);
    int32_t low = 0;
    if (problem->network.kind == MAP_TREE) {
        low = cut_tree(bisection, slots, count);
    } else {
        const int across = longest_axis(bisection, place, problem->network.ndims, slots, count);
        sort_along(bisection, place, across, slots, count);
        if (bisection->whole_layers)
            low = change_near_middle(bisection, cell, axis, ranks, count);
    }
    low = low ? low : count / 2;
    bisect(bisection, first, low);
    bisect(bisection, first + low, count - low);
}

static void offer_bisected(struct bisection *bisection)
{
    struct contest *contest = bisection->contest;
    const struct axis_order order = axis_order_first(contest->problem->network.ndims);
    for (int32_t rank = 0; rank < contest->problem->ranks; rank++)
        bisection->ranks[rank] = rank;
    sort_slots(contest, &order, bisection->slots);
    bisect(bisection, 0, contest->problem->ranks);
    if (contest->status == MAP_OK)
        contest_offer_orders(contest, bisection->ranks, bisection->slots);
}

void offer_bisection(struct contest *contest)
{
    const struct map_problem *problem = contest->problem;
    const struct grid *grid = &problem->grid;
    struct bisection bisection = {.contest = contest};
    if (grid->ndims == 0)
        return;
    bisection.cells = array_of((int64_t)problem->ranks * grid->ndims, sizeof(int32_t));
    bisection.keys = array_of(problem->ranks, sizeof(uint64_t));
    bisection.ranks = contest_list(contest, problem->ranks);
    bisection.slots = contest_list(contest, problem->ranks);
    if (bisection.cells && bisection.keys && bisection.ranks && bisection.slots) {
        list_cells(problem, bisection.cells);
        for (int k = 0; k < 2 && contest_open(contest); k++) {
            bisection.whole_layers = k == 0;
            offer_bisected(&bisection);
        }
    } else {
        contest->status = MAP_NO_MEMORY;
    }
    free(bisection.cells);
    free(bisection.keys);
    free(bisection.ranks);
    free(bisection.slots);
}
