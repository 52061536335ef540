/**
 * Hierarchical: the grid cut into node bricks, the grid of bricks mapped onto the network by all
 * methods, and the ranks of each brick put on the cores of its node.
 */
#include <math.h>
#include <stdlib.h>

#include "methods/methods.h"
#include "problem/array.h"
#include "search/cells.h"

enum { SHAPES = 2 };                /* of bricks, the best */
enum { FORECAST_EFFORT = 3000000 }; /* of a forecast: as map_within has it */

/** The grid of bricks; what crosses a face of a brick is what one of its edges weighs. */
struct coarse {
    int64_t dims[MAP_MOST_DIMS];
    uint8_t periodic[MAP_MOST_DIMS];
    double weights[2 * MAP_MOST_DIMS];
};

static struct coarse coarsen(const struct grid *grid, const int32_t *size, int32_t cores)
{
    struct coarse coarse;
    for (int axis = 0; axis < grid->ndims; axis++) {
        coarse.dims[axis] = grid->dims[axis] / size[axis];
        coarse.periodic[axis] = grid->periodic[axis];
        for (int k = 2 * axis; k < 2 * axis + 2; k++)
            coarse.weights[k] = grid->weights[k] * (cores / size[axis]);
    }
    return coarse;
}

/**
 * The nodes of a torus, one slot each, or the lowest switches of a tree with the nodes under them:
 * what bricks are mapped onto.
 */
struct coarse_machine {
    struct map_machine machine;
    uint8_t periodic[MAP_MOST_DIMS];
    int64_t *ancestors, *switch_of_node; /**< tree: [switches][levels], [nodes] */
};

static void describe_torus(const struct map_problem *problem, struct coarse_machine *coarse)
{
    const struct network *network = &problem->network;
    for (int axis = 0; axis < network->ndims; axis++)
        coarse->periodic[axis] = network->periodic[axis];
    coarse->machine.dims = network->dims;
    coarse->machine.ndims = network->ndims;
    coarse->machine.periodic = coarse->periodic;
    coarse->machine.vertex_of_slot = problem->vertex_of_node;
}

/** Above the lowest switches there may be none: then a root joins them. */
static int describe_tree(const struct map_problem *problem, struct coarse_machine *coarse)
{
    const struct network *network = &problem->network;
    const int levels = network->ndims > 1 ? network->ndims - 1 : 1;
    const int64_t switches = network->switches[0];
    coarse->ancestors = array_of(switches * levels, sizeof *coarse->ancestors);
    coarse->switch_of_node = array_of(problem->nodes, sizeof *coarse->switch_of_node);
    if (!coarse->ancestors || !coarse->switch_of_node)
        return MAP_NO_MEMORY;
    for (int64_t k = 0; k < switches * levels; k++)
        coarse->ancestors[k] = 0; /* also of switches without a node */
    for (int32_t node = 0; node < problem->nodes; node++) {
        const int32_t *place = place_of(problem, node);
        coarse->switch_of_node[node] = place[0];
        for (int level = 1; level < network->ndims; level++)
            coarse->ancestors[(int64_t)place[0] * levels + level - 1] = place[level];
    }
    coarse->machine.vertices = switches;
    coarse->machine.levels = levels;
    coarse->machine.ancestors = coarse->ancestors;
    coarse->machine.vertex_of_slot = coarse->switch_of_node;
    return MAP_OK;
}

static int describe(const struct map_problem *problem, struct coarse_machine *coarse)
{
    *coarse = (struct coarse_machine){
        .machine = {.kind = problem->network.kind, .slots = problem->nodes}};
    if (problem->network.kind == MAP_TREE)
        return describe_tree(problem, coarse);
    describe_torus(problem, coarse);
    return MAP_OK;
}

static void forget(struct coarse_machine *coarse)
{
    free(coarse->ancestors);
    free(coarse->switch_of_node);
}

/** The grid of bricks of `size` on the nodes; to be given to map_problem_free. */
static int coarse_problem(const struct map_problem *problem, const int32_t *size,
                          struct map_problem **bricks)
{
    const struct grid *grid = &problem->grid;
    const struct coarse coarse = coarsen(grid, size, problem->ranks / problem->nodes);
    const struct map_pattern pattern = {.kind = MAP_GRID,
                                        .ndims = grid->ndims,
                                        .dims = coarse.dims,
                                        .periodic = coarse.periodic,
                                        .weights = coarse.weights,
                                        .diagonals = grid->diagonals};
    struct coarse_machine machine;
    int status = describe(problem, &machine);
    if (status == MAP_OK)
        status = map_problem_make(&pattern, &machine.machine, bricks);
    forget(&machine);
    return status;
}

/** How a grid of bricks is mapped. */
struct search {
    int metric;
    int64_t steps;
    uint64_t seed;
    int64_t effort;
};

/** The best node of each brick, to `nodes` ([problem->nodes]), and what hop-bytes they have. */
static int map_coarsely(const struct map_problem *problem, const struct search *search,
                        const int32_t *size, int64_t *nodes, double *traffic)
{
    struct map_problem *bricks;
    struct map_metrics metrics = {0};
    int32_t method;
    int status = coarse_problem(problem, size, &bricks);
    if (status != MAP_OK)
        return status;
    const int metric = search->metric == MAP_LOAD ? MAP_LOAD : MAP_HOP_BYTES;
    status =
        map_within(bricks, metric, search->steps, search->seed, search->effort, nodes, &method);
    if (status == MAP_OK && traffic)
        status = map_evaluate(bricks, nodes, &metrics);
    if (traffic)
        *traffic = metrics.hop_bytes;
    map_problem_free(bricks);
    return status;
}

static void offer_bricks_at(struct contest *contest, const int64_t *nodes, const int32_t *order,
                            int32_t *slots)
{
    const struct map_problem *problem = contest->problem;
    const int32_t cores = problem->ranks / problem->nodes;
    for (int32_t k = 0; k < problem->ranks; k++)
        slots[order[k]] = problem->slots_by_node[nodes[k / cores] * cores + k % cores];
    contest_offer(contest, slots);
}

/** Whether there is more to a machine than equal nodes, of several slots each. */
static bool is_hierarchical(const struct map_problem *problem)
{
    const bool flat = problem->network.kind == MAP_TREE && problem->network.switches[0] == 1;
    return problem->grid.ndims > 0 && cores_of_all(problem) > 1 && problem->nodes > 1 && !flat;
}

/** Effort for one grid of bricks: half of what is left, which is used up. */
static int64_t coarse_effort(struct contest *contest)
{
    if (contest->effort == INT64_MAX)
        return INT64_MAX;
    contest->effort /= 2;
    return contest->effort;
}

void offer_hierarchical(struct contest *contest)
{
    const struct map_problem *problem = contest->problem;
    if (!is_hierarchical(problem) || contest->metric == MAP_INTERNODE)
        return;
    const struct bricks bricks = find_bricks(&problem->grid, cores_of_all(problem));
    int64_t *nodes = array_of(problem->nodes, sizeof *nodes);
    int32_t *order = contest_list(contest, problem->ranks);
    int32_t *slots = contest_list(contest, problem->ranks);
    int status = nodes && order && slots ? MAP_OK : MAP_NO_MEMORY;
    for (int k = 0; k < bricks.count && k < SHAPES && status == MAP_OK && contest_open(contest);
         k++) {
        const struct search search = {contest->metric, contest->steps / 2, contest->seed,
                                      coarse_effort(contest)};
        status = map_coarsely(problem, &search, bricks.size[k], nodes, NULL);
        list_bricks(problem, bricks.size[k], order);
        if (status == MAP_OK)
            offer_bricks_at(contest, nodes, order, slots);
    }
    if (status == MAP_NO_MEMORY)
        contest->status = status;
    free(nodes);
    free(order);
    free(slots);
}

/* -- forecasts --------------------------------------------------------------------------------- */

/** In a tree what goes between nodes passes their own two links as well, which bricks don't see. */
static int forecast_shape(const struct map_problem *problem, const struct bricks *bricks, int shape,
                          int64_t *nodes, double *traffic)
{
    const bool tree = problem->network.kind == MAP_TREE;
    const double own_links = tree ? 2 * bricks->cut[shape] * problem->ranks : 0;
    const struct search search = {.metric = MAP_HOP_BYTES, .effort = FORECAST_EFFORT};
    double coarse = 0;
    int status = MAP_OK;
    if (is_hierarchical(problem))
        status = map_coarsely(problem, &search, bricks->size[shape], nodes, &coarse);
    if (own_links + coarse < *traffic)
        *traffic = own_links + coarse;
    return status;
}

int forecast_hierarchical(const struct map_problem *problem, double *traffic)
{
    const int32_t cores = cores_of_all(problem);
    int status = MAP_OK;
    *traffic = INFINITY;
    if (problem->grid.ndims == 0 || cores < 2 || problem->grid.diagonals)
        return MAP_OK;
    const struct bricks bricks = find_bricks(&problem->grid, cores);
    int64_t *nodes = array_of(problem->nodes, sizeof *nodes);
    if (!nodes)
        return MAP_NO_MEMORY;
    for (int k = 0; k < bricks.count && k < SHAPES && status == MAP_OK; k++)
        status = forecast_shape(problem, &bricks, k, nodes, traffic);
    free(nodes);
    return status;
}
