/** The k-d tree: the grid halved until single ranks are left (Hunold and others 2020). */
#include <stdlib.h>

#include "methods/methods.h"
#include "search/cells.h"

static void halve(const struct grid *grid, const struct box *box, int32_t *order, int32_t *count)
{
    const int axis = box_cheapest_axis(grid, box);
    if (box->size[axis] == 1) {
        box_list(grid, box, order, count);
        return;
    }
    struct box halves[2];
    box_cut(box, axis, box->size[axis] / 2, halves);
    halve(grid, &halves[0], order, count);
    halve(grid, &halves[1], order, count);
}

void offer_kd_tree(struct contest *contest)
{
    const struct grid *grid = &contest->problem->grid;
    const struct box whole = box_of(grid);
    int32_t *order = grid->ndims ? contest_list(contest, contest->problem->ranks) : NULL;
    int32_t count = 0;
    if (order) {
        halve(grid, &whole, order, &count);
        offer_on_nodes(contest, order);
    }
    free(order);
}
