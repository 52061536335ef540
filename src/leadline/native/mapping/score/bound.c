/**
 * Lower bounds: what the best permutation conceivable can't fall below.
 *
 * Hops are sums of cuts: of nodes and all that is under a switch in a tree, of opposite planes in a
 * torus (list_sections). Each cut has a number of ranks on either side, and what leaves so many is
 * known from the pattern alone. The largest of all such bounds counts, and as everything adds up to
 * multiples of the weights' common unit, it is raised to one.
 */
#include <math.h>
#include <stdlib.h>

#include "problem/array.h"
#include "score/graph_cuts.h"
#include "score/grid_cuts.h"
#include "score/lowering.h"
#include "score/nearness.h"
#include "score/rows.h"
#include "score/sections.h"

/* -- cuts -------------------------------------------------------------------------------------- */

/* The least that sets of ranks cut, by whatever is known of the pattern. */

struct cuts {
    bool by_grid, by_graph; /**< neither: nothing is known */
    struct grid_cuts grid;
    struct graph_cuts graph;
    int64_t asked;  /**< how many ranks were asked for last */
    double leaving; /**< and what leaves them */
};

/**
 * `weighted` false: everything sent counts 1. A graph needs edges; a grid doesn't, but is looked at
 * more closely where it has them and few ranks. Returns MAP_OK or MAP_NO_MEMORY.
 */
static int cuts_make(const struct map_problem *problem, bool weighted, struct cuts *cuts)
{
    *cuts = (struct cuts){.by_grid = grid_is_cut(&problem->grid)};
    if (cuts->by_grid)
        cuts->grid = grid_cuts_of(problem, weighted);
    const bool few = problem->ranks <= MOST_IN_SETS;
    cuts->by_graph = problem->edges.starts && (few || !cuts->by_grid);
    return cuts->by_graph ? graph_cuts_make(problem, weighted, &cuts->graph) : MAP_OK;
}

static void cuts_free(struct cuts *cuts)
{
    if (cuts->by_graph)
        graph_cuts_free(&cuts->graph);
}

/**
 * The least weight of edges between any `count` ranks and the others. Takes its time where `count`
 * isn't what it was before.
 */
static double least_leaving(struct cuts *cuts, int64_t count)
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
static double least_between(struct cuts *cuts, const int64_t *sizes, int64_t groups)
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

/* -- bounds ------------------------------------------------------------------------------------ */

/** The least weight between all nodes or, in a tree, the groups of a level. */
static int between_groups(const struct map_problem *problem, struct cuts *cuts, int level,
                          double *sum)
{
    int64_t *sizes = array_of(most_groups(problem), sizeof *sizes);
    if (!sizes)
        return MAP_NO_MEMORY;
    *sum = least_between(cuts, sizes, count_groups(problem, level, sizes));
    free(sizes);
    return MAP_OK;
}

/** The same times hops, in a tree: what leaves a group goes up there and down elsewhere. */
static int hops_in_tree(const struct map_problem *problem, struct cuts *cuts, double *sum)
{
    int status = MAP_OK;
    *sum = 0;
    for (int level = -1; level < problem->network.ndims && status == MAP_OK; level++) {
        double between = 0;
        status = between_groups(problem, cuts, level, &between);
        *sum += 2 * between;
    }
    return status;
}

static int hops_in_torus(const struct map_problem *problem, struct cuts *cuts, double *sum)
{
    struct sections sections;
    const int status = list_sections(problem, false, &sections);
    *sum = 0;
    for (int64_t i = 0; i < sections.count && status == MAP_OK; i++)
        *sum += sections.list[i].hops * least_leaving(cuts, sections.list[i].slots);
    free(sections.list);
    return status;
}

/** The largest of the bounds of a sum of weights; `nodes_only`: between nodes, otherwise by hops.
 */
static int least_sum(const struct map_problem *problem, struct cuts *cuts, bool weighted,
                     bool nodes_only, double *sum)
{
    double other = 0;
    int status = between_groups(problem, cuts, -1, sum);
    if (status == MAP_OK && !nodes_only)
        status = problem->network.kind == MAP_TREE ? hops_in_tree(problem, cuts, &other)
                                                   : hops_in_torus(problem, cuts, &other);
    *sum = fmax(*sum, other);
    if (status != MAP_OK || !problem->edges.starts)
        return status;
    status = least_by_ranks(problem, weighted, nodes_only ? NEAR_NODES : NEAR_HOPS, &other);
    *sum = fmax(*sum, lowered(other));
    if (status == MAP_OK && !nodes_only)
        status = least_by_pairs(problem, weighted, &other);
    *sum = fmax(*sum, lowered(other));
    return status;
}

/** Whether any way around has an even number of hops, and edges of one weight are ways around. */
static bool is_sum_even(const struct map_problem *problem, bool weighted)
{
    if (problem->network.kind == MAP_TREE)
        return true;
    return is_bipartite(&problem->network) && weight_of_all(problem, weighted) > 0 &&
           has_even_rows(problem);
}

/** What sums of weights, or of weights times hops, are multiples of. */
static double unit_of_sum(const struct map_problem *problem, bool weighted, bool nodes_only)
{
    if (!problem->edges.starts)
        return 0;
    const double unit = common_unit(problem, weighted, false);
    return unit * (!nodes_only && is_sum_even(problem, weighted) ? 2 : 1);
}

static int compare_slots(const void *a, const void *b)
{
    const int64_t one = ((const struct section *)a)->slots;
    const int64_t other = ((const struct section *)b)->slots;
    return (one > other) - (one < other);
}

/** A cut's weight goes over its links, half of it at least in one direction. */
static int load_by_cuts(const struct map_problem *problem, struct cuts *cuts, double *load)
{
    struct sections sections = {0};
    int status = MAP_OK;
    if (problem->network.kind == MAP_TORUS)
        status = list_sections(problem, true, &sections);
    if (status == MAP_OK && sections.count) /* so that each size is looked at once */
        qsort(sections.list, (size_t)sections.count, sizeof *sections.list, compare_slots);
    for (int64_t i = 0; i < sections.count && status == MAP_OK; i++) {
        const struct section *section = &sections.list[i];
        *load = fmax(*load, least_leaving(cuts, section->slots) / section->links);
    }
    free(sections.list);
    return status;
}

/** The same of what leaves a node or a switch. */
static int load_by_groups(const struct map_problem *problem, struct cuts *cuts, double *load)
{
    const bool tree = problem->network.kind == MAP_TREE;
    int64_t *sizes = array_of(most_groups(problem), sizeof *sizes);
    if (!sizes)
        return MAP_NO_MEMORY;
    for (int level = -1; level < (tree ? problem->network.ndims : 0); level++) {
        const int64_t groups = count_groups(problem, level, sizes);
        double links = 0;
        for (int64_t group = 0; group < groups; group++) {
            const int own = level < 0 ? links_of_node(problem, (int32_t)group) : 1;
            links += own;
            if (own > 0)
                *load = fmax(*load, least_leaving(cuts, sizes[group]) / (2 * own));
        }
        if (links > 0) /* the mean over all */
            *load = fmax(*load, least_between(cuts, sizes, groups) / links);
    }
    free(sizes);
    return MAP_OK;
}

/** If anything goes between nodes, a pair's larger message does, whole over some link. */
static double least_message(const struct map_problem *problem)
{
    const struct edges *edges = &problem->edges;
    const int64_t entries = edges->starts[problem->ranks];
    double least = edges->out && entries ? INFINITY : entries > 0;
    for (int64_t e = 0; e < entries && edges->out; e++)
        least = fmin(least, fmax(edges->out[e], edges->both[e] - edges->out[e]));
    return least;
}

/** The same of what one rank sends, and of all links together. */
static int load_by_sums(const struct map_problem *problem, struct cuts *cuts, double *load)
{
    const struct network *network = &problem->network;
    double sent = 0, hops = 0;
    int links = 0;
    if (!problem->edges.starts)
        return MAP_OK;
    for (int32_t node = 0; node < problem->nodes; node++)
        links = links_of_node(problem, node) > links ? links_of_node(problem, node) : links;
    if (*load > 0)
        *load = fmax(*load, least_message(problem));
    int status = most_sent_away(problem, &sent);
    if (status == MAP_OK && network->kind == MAP_TORUS)
        status = least_sum(problem, cuts, true, false, &hops);
    if (links > 0)
        *load = fmax(*load, sent / links);
    if (network->kind == MAP_TORUS && links > 0)
        *load = fmax(*load, hops / links_of_torus(network));
    return status;
}

static int least_load(const struct map_problem *problem, struct cuts *cuts, double *load)
{
    *load = 0;
    int status = load_by_cuts(problem, cuts, load);
    if (status == MAP_OK)
        status = load_by_groups(problem, cuts, load);
    if (status == MAP_OK)
        status = load_by_sums(problem, cuts, load);
    *load = lowered(*load);
    if (problem->edges.starts)
        *load = raised(*load, common_unit(problem, true, true));
    return status;
}

/** Rows have so many entries; a grid's needn't have been made. */
static double count_entries(const struct map_problem *problem)
{
    if (problem->edges.starts)
        return (double)problem->edges.starts[problem->ranks];
    return grid_cuts_of(problem, false).total;
}

/** The bound of a problem where something is sent between nodes. */
static int least(const struct map_problem *problem, int metric, double *bound)
{
    const bool weighted = metric != MAP_HOPS, nodes_only = metric == MAP_INTERNODE;
    struct cuts cuts;
    int status = cuts_make(problem, weighted, &cuts);
    if (status == MAP_OK && !cuts.by_grid && !cuts.by_graph)
        *bound = NAN;
    else if (status == MAP_OK && metric == MAP_LOAD)
        status = least_load(problem, &cuts, bound);
    else if (status == MAP_OK)
        status = least_sum(problem, &cuts, weighted, nodes_only, bound);
    if (status == MAP_OK && metric != MAP_LOAD)
        *bound = raised(*bound, unit_of_sum(problem, weighted, nodes_only));
    cuts_free(&cuts);
    return status;
}

int map_lower_bound(const struct map_problem *problem, int metric, double *bound)
{
    if (metric < 0 || metric >= MAP_METRICS)
        return MAP_NO_METHOD;
    const double entries = count_entries(problem);
    double found = 0;
    int status = MAP_OK;
    if (problem->nodes > 1 && entries > 0)
        status = least(problem, metric, &found);
    if (status == MAP_OK)
        *bound = metric == MAP_HOPS && entries > 0 ? found / entries : found;
    return status;
}

int map_reaches(double value, double bound)
{
    return value <= bound * (1 + MAP_ROUNDING);
}

int map_grid_traffic(const struct map_problem *problem, const struct map_pattern *grid,
                     double *bound)
{
    struct map_problem other;
    const int status = problem_of_grid(problem, grid, &other);
    return status == MAP_OK ? map_lower_bound(&other, MAP_HOP_BYTES, bound) : status;
}
