#include "score/graph_cuts.h"

#include <math.h>

#include "score/lowering.h"
#include "score/rows.h"

int graph_cuts_make(const struct map_problem *problem, bool weighted, struct graph_cuts *cuts)
{
    *cuts = (struct graph_cuts){.ranks = problem->ranks};
    cuts->step = weight_of_all(problem, weighted) * (has_even_rows(problem) ? 2 : 1);
    if (cuts->step == 0)
        cuts->step = common_unit(problem, weighted, false);
    int status = connection_make(problem, weighted, &cuts->connection);
    cuts->few = problem->ranks <= MOST_IN_SETS;
    if (cuts->few)
        all_sets_leaving(problem, weighted, cuts->exact);
    cuts->spread = status == MAP_OK && !cuts->few && congestion_is_cheap(problem);
    if (cuts->spread)
        status = congestion_make(problem, weighted, &cuts->congestion);
    return status;
}

void graph_cuts_free(struct graph_cuts *cuts)
{
    connection_free(&cuts->connection);
    if (cuts->spread)
        congestion_free(&cuts->congestion);
}

double graph_leaving(const struct graph_cuts *cuts, int64_t count)
{
    if (count <= 0 || count >= cuts->ranks)
        return 0;
    double leaving = connection_leaving(&cuts->connection, count);
    if (cuts->few)
        leaving = fmax(leaving, cuts->exact[count]);
    if (cuts->spread)
        leaving = fmax(leaving, fmax(congestion_leaving(&cuts->congestion, count),
                                     congestion_leaving(&cuts->congestion, cuts->ranks - count)));
    return raised(leaving, cuts->step);
}

double graph_joining(const struct graph_cuts *cuts, int64_t groups)
{
    const int64_t edges = groups - cuts->connection.parts;
    return edges > 0 ? (double)edges * cuts->connection.edge : 0;
}
