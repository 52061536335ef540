/**
 * Hierarchical: the grid cut into node bricks, the grid of bricks mapped onto the network by all
 * methods for single ranks, and the ranks of each brick put on the cores of its node.
 */
#include <stdlib.h>

#include "methods/methods.h"
#include "problem/array.h"
#include "search/bricks.h"
#include "search/cells.h"

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

/** The nodes of `problem`, one slot each, as a machine for bricks. */
static struct map_machine machine_of_nodes(const struct map_problem *problem)
{
    const struct network *network = &problem->network;
    return (struct map_machine){
        .kind = network->kind,
        .ndims = network->ndims,
        .dims = network->dims,
        .slots = problem->nodes,
        .vertex_of_slot = problem->vertex_of_node,
    };
}

/** The best node of each brick, to `nodes` ([problem->nodes]). */
static int map_coarsely(const struct contest *contest, const int32_t *size, int64_t *nodes)
{
    const struct map_problem *problem = contest->problem;
    const struct grid *grid = &problem->grid;
    const struct coarse coarse = coarsen(grid, size, problem->ranks / problem->nodes);
    const struct map_pattern pattern = {.kind = MAP_GRID,
                                        .ndims = grid->ndims,
                                        .dims = coarse.dims,
                                        .periodic = coarse.periodic,
                                        .weights = coarse.weights,
                                        .diagonals = grid->diagonals};
    struct map_machine machine = machine_of_nodes(problem);
    uint8_t periodic[MAP_MOST_DIMS];
    for (int axis = 0; axis < machine.ndims; axis++)
        periodic[axis] = problem->network.periodic[axis];
    machine.periodic = periodic;
    struct map_problem *bricks;
    int32_t method;
    int status = map_problem_make(&pattern, &machine, &bricks);
    if (status != MAP_OK)
        return status;
    const int metric = contest->metric == MAP_LOAD ? MAP_LOAD : MAP_HOP_BYTES;
    status = map_best(bricks, metric, contest->steps / 2, contest->seed, nodes, &method);
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

void offer_hierarchical(struct contest *contest)
{
    const struct map_problem *problem = contest->problem;
    const int32_t cores = cores_of_all(problem);
    if (problem->grid.ndims == 0 || cores < 2 || problem->nodes == 1 ||
        problem->network.kind != MAP_TORUS || contest->metric == MAP_INTERNODE)
        return;
    const struct bricks bricks = find_bricks(&problem->grid, cores);
    int64_t *nodes = array_of(problem->nodes, sizeof *nodes);
    int32_t *order = contest_list(contest, problem->ranks);
    int32_t *slots = contest_list(contest, problem->ranks);
    int status = nodes && order && slots ? MAP_OK : MAP_NO_MEMORY;
    for (int k = 0; k < bricks.count && k < 2 && status == MAP_OK && contest_open(contest); k++) {
        status = map_coarsely(contest, bricks.size[k], nodes);
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
