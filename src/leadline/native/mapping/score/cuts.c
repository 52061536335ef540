#include "score/cuts.h"

#include <math.h>

int cuts_make(const struct map_problem *problem, bool weighted, struct cuts *cuts)
{
    *cuts = (struct cuts){.by_grid = grid_is_cut(&problem->grid)};
    if (cuts->by_grid)
        cuts->grid = grid_cuts_of(problem, weighted);
    const bool few = problem->ranks <= MOST_IN_SETS;
    cuts->by_graph = problem->edges.starts && (few || !cuts->by_grid);
    return cuts->by_graph ? graph_cuts_make(problem, weighted, &cuts->graph) : MAP_OK;
}

void cuts_free(struct cuts *cuts)
{
    if (cuts->by_graph)
        graph_cuts_free(&cuts->graph);
}

double least_leaving(struct cuts *cuts, int64_t count)
{
    if (count == cuts->asked) /* none at first, which nothing leaves */
        return cuts->leaving;
    const double of_grid = cuts->by_grid ? grid_leaving(&cuts->grid, count) : 0;
    const double of_graph = cuts->by_graph ? graph_leaving(&cuts->graph, count) : 0;
    cuts->asked = count;
    cuts->leaving = fmax(of_grid, of_graph);
    return cuts->leaving;
}

/** What groups hold is what they can't cut; each edge cut leaves two of them. */
double least_between(struct cuts *cuts, const int64_t *sizes, int64_t groups)
{
    double held = 0, held_by_all = 0, leaving_all = 0;
    for (int64_t i = 0; i < groups; i++) {
        if (cuts->by_grid && (i == 0 || sizes[i] != sizes[i - 1]))
            held = grid_held(&cuts->grid, sizes[i]);
        held_by_all += held;
        leaving_all += least_leaving(cuts, sizes[i]);
    }
    double between = leaving_all / 2;
    if (cuts->by_grid)
        between = fmax(between, cuts->grid.total - held_by_all);
    if (cuts->by_graph)
        between = fmax(between, graph_joining(&cuts->graph, groups));
    return between;
}
