#include "score/graph_cuts.h"

#include <math.h>
#include <string.h>

#include "score/lowering.h"
#include "score/rows.h"

/* -- every set of a few ranks ------------------------------------------------------------------ */

/** Weights between ranks, symmetric, and of each rank with all. */
struct weights {
    double between[MOST_IN_SETS][MOST_IN_SETS], all[MOST_IN_SETS];
    unsigned neighbours[MOST_IN_SETS]; /**< a bit each */
};

static void tabulate(const struct map_problem *problem, bool weighted, struct weights *weights)
{
    const int64_t *starts = problem->edges.starts;
    memset(weights, 0, sizeof *weights);
    for (int32_t rank = 0; rank < problem->ranks; rank++) {
        for (int64_t e = starts[rank]; e < starts[rank + 1]; e++) {
            const double weight = entry_weight(problem, weighted, e);
            weights->between[rank][problem->edges.neighbours[e]] += weight;
            weights->all[rank] += weight;
            weights->neighbours[rank] |= 1U << problem->edges.neighbours[e];
        }
    }
}

/** By how much the cut grows when `rank` enters `set`; it falls by as much when it leaves. */
static double growth(const struct weights *weights, unsigned set, int rank)
{
    double growth = weights->all[rank];
    for (unsigned left = set & weights->neighbours[rank]; left; left &= left - 1)
        growth -= 2 * weights->between[rank][__builtin_ctz(left)];
    return growth;
}

/** The least weight of edges between any c ranks and the others, to `leaving` ([ranks + 1]). */
static void all_sets_leaving(const struct map_problem *problem, bool weighted, double *leaving)
{
    const int ranks = problem->ranks;
    struct weights weights;
    tabulate(problem, weighted, &weights);
    for (int count = 0; count <= ranks; count++)
        leaving[count] = count > 0 && count < ranks ? INFINITY : 0;
    unsigned set = 0;
    int count = 0;
    double cut = 0;
    for (unsigned step = 1; step < 1U << (ranks - 1); step++) { /* the last rank stays outside */
        const int rank = __builtin_ctz(step);                   /* Gray's code */
        set ^= 1U << rank;
        const bool enters = set >> rank & 1;
        const double change = growth(&weights, set & ~(1U << rank), rank);
        cut += enters ? change : -change;
        count += enters ? 1 : -1;
        leaving[count] = fmin(leaving[count], lowered(cut));
    }
    for (int few = 1; few < ranks; few++) /* what is outside cuts the same */
        if (few <= ranks - few)
            leaving[few] = leaving[ranks - few] = fmin(leaving[few], leaving[ranks - few]);
}

/* -- sets of any size -------------------------------------------------------------------------- */

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
