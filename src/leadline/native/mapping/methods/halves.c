/** The grid cut in two, and each part again, until its parts are small enough. */
#include <stdlib.h>

#include "methods/methods.h"
#include "search/cells.h"

/* -- the k-d tree ------------------------------------------------------------------------------ */

/* The k-d tree: the grid halved until single ranks are left (Hunold and others 2020). */

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

/* -- hyperplanes ------------------------------------------------------------------------------- */

/*
 * Hyperplanes: the grid cut where both sides fill whole nodes, as near to the middle as that can
 * be, until single nodes are left (Hunold and others 2020).
 */

/** The place nearest to the middle where `axis` can be cut into whole nodes; 0: nowhere. */
static int32_t find_place(const struct grid *grid, const struct box *box, int axis, int32_t cores)
{
    const int64_t layer = box_volume(grid, box) / box->size[axis];
    for (int32_t place = box->size[axis] / 2; place > 0; place--)
        if (place * layer % cores == 0)
            return place;
    return 0;
}

static void cut(const struct grid *grid, const struct box *box, int32_t cores, int32_t *order,
                int32_t *count)
{
    int32_t place = 0;
    int axis = 0;
    struct box untried = *box;
    for (int k = 0; k < grid->ndims && place == 0; k++) {
        axis = box_cheapest_axis(grid, &untried);
        place = find_place(grid, box, axis, cores);
        untried.size[axis] = 1;
    }
    if (place == 0 || box_volume(grid, box) <= cores) {
        box_list(grid, box, order, count);
        return;
    }
    struct box parts[2];
    box_cut(box, axis, place, parts);
    cut(grid, &parts[0], cores, order, count);
    cut(grid, &parts[1], cores, order, count);
}

void offer_hyperplane(struct contest *contest)
{
    const struct map_problem *problem = contest->problem;
    const int32_t cores = cores_of_all(problem);
    const struct box whole = box_of(&problem->grid);
    const bool applies = problem->grid.ndims > 0 && cores > 1;
    int32_t *order = applies ? contest_list(contest, problem->ranks) : NULL;
    int32_t count = 0;
    if (order) {
        cut(&problem->grid, &whole, cores, order, &count);
        offer_on_nodes(contest, order);
    }
    free(order);
}
