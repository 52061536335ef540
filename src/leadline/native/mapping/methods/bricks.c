/** Node bricks: the grid cut into equal boxes of a node's size, as Gropp's nodecart does (2018). */
#include "search/cells.h"

#include <stdlib.h>

#include "methods/methods.h"

void offer_bricks(struct contest *contest)
{
    const struct map_problem *problem = contest->problem;
    const int32_t cores = cores_of_all(problem);
    if (problem->grid.ndims == 0 || cores < 2)
        return;
    const struct bricks bricks = find_bricks(&problem->grid, cores);
    const bool by_cut =
        contest->metric == MAP_INTERNODE || (contest->metric != MAP_LOAD && is_flat(problem));
    int32_t *order = contest_list(contest, problem->ranks);
    for (int k = 0; order && k < bricks.count && contest_open(contest); k++) {
        if (by_cut && !map_reaches(bricks.cut[k], bricks.cut[0]))
            break; /* what a shape cuts is what goes between nodes */
        list_bricks(problem, bricks.size[k], order);
        offer_on_nodes(contest, order);
    }
    free(order);
}
