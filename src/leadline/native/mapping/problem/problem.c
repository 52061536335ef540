#include "problem/problem.h"

#include <stdlib.h>

#include "problem/array.h"
#include "problem/edges.h"

const char *map_status_text(int status)
{
    static const char *const texts[] = {
        [MAP_OK] = "all is well",
        [MAP_NO_MEMORY] = "the memory doesn't suffice",
        [MAP_BAD_DIMS] = "an axis has a length below 1, or there are none or more than 32 axes",
        [MAP_TOO_LARGE] = "there are 2^31 ranks or edges, 2^56 vertices, or more",
        [MAP_BAD_WEIGHT] = "a weight is negative or not a number, or weights are infinite in sum",
        [MAP_BAD_GRAPH] = "the graph's rows decrease, or a neighbour is no rank",
        [MAP_BAD_SLOT] = "a slot is on no vertex of the network",
        [MAP_BAD_SWITCH] = "a switch is not numbered below the vertices, or is under two others",
        [MAP_MISFIT] = "there are not as many ranks as slots",
        [MAP_BAD_PERMUTATION] = "a slot of the permutation is none, or is taken twice",
        [MAP_NO_METHOD] = "no method or metric has this number",
        [MAP_NOT_APPLICABLE] = "the method knows nothing of such a pattern or machine",
    };
    const int known = (int)(sizeof texts / sizeof *texts);
    return status >= 0 && status < known ? texts[status] : "an unknown status";
}

static int count_ranks(const struct map_pattern *pattern, struct map_problem *problem)
{
    int64_t ranks = pattern->ranks;
    if (pattern->kind == MAP_GRID) {
        const int status = grid_make(pattern, &problem->grid, &ranks);
        if (status != MAP_OK)
            return status;
    }
    if (ranks < 1)
        return MAP_BAD_DIMS;
    if (ranks >= INT32_MAX)
        return MAP_TOO_LARGE;
    problem->ranks = (int32_t)ranks;
    return MAP_OK;
}

static int make_lists(struct map_problem *problem)
{
    const int64_t ranks = problem->ranks;
    problem->vertex_of_node = array_of(ranks, sizeof *problem->vertex_of_node);
    problem->node_of_slot = array_of(ranks, sizeof *problem->node_of_slot);
    problem->node_starts = array_of(ranks + 1, sizeof *problem->node_starts);
    problem->slots_by_node = array_of(ranks, sizeof *problem->slots_by_node);
    const bool room = problem->vertex_of_node && problem->node_of_slot && problem->node_starts &&
                      problem->slots_by_node;
    return room ? MAP_OK : MAP_NO_MEMORY;
}

/** Lists the slots in the order of their vertices, which most machines have already. */
static int order_slots(const struct map_machine *machine, struct map_problem *problem)
{
    const int64_t *vertices = machine->vertex_of_slot;
    bool in_order = true;
    for (int32_t slot = 0; slot < problem->ranks; slot++) {
        problem->slots_by_node[slot] = slot;
        in_order = in_order && (slot == 0 || vertices[slot - 1] <= vertices[slot]);
    }
    if (in_order)
        return MAP_OK;
    uint64_t *keys = array_of(machine->slots, sizeof *keys);
    if (!keys)
        return MAP_NO_MEMORY;
    for (int32_t slot = 0; slot < problem->ranks; slot++)
        keys[slot] = (uint64_t)vertices[slot];
    const int status = sort_by_key(keys, problem->slots_by_node, problem->ranks);
    free(keys);
    return status;
}

/** Numbers the vertices that have slots in the order of the network; lists the slots of each. */
static int number_nodes(const struct map_machine *machine, struct map_problem *problem)
{
    const int status = order_slots(machine, problem);
    if (status != MAP_OK)
        return status;
    int32_t nodes = 0;
    for (int32_t i = 0; i < problem->ranks; i++) {
        const int32_t slot = problem->slots_by_node[i];
        const int64_t vertex = machine->vertex_of_slot[slot];
        if (nodes == 0 || vertex != problem->vertex_of_node[nodes - 1]) {
            problem->node_starts[nodes] = i;
            problem->vertex_of_node[nodes++] = vertex;
        }
        problem->node_of_slot[slot] = nodes - 1;
    }
    problem->node_starts[nodes] = problem->ranks;
    problem->nodes = nodes;
    return MAP_OK;
}

static int build(const struct map_pattern *pattern, const struct map_machine *machine,
                 struct map_problem *problem)
{
    int status = count_ranks(pattern, problem);
    if (status == MAP_OK && machine->slots != problem->ranks)
        status = MAP_MISFIT;
    if (status == MAP_OK)
        status = make_lists(problem);
    if (status == MAP_OK)
        status = network_make(machine, &problem->network);
    if (status == MAP_OK)
        status = number_nodes(machine, problem);
    if (status == MAP_OK)
        status = network_place(machine, problem->vertex_of_node, problem->nodes, &problem->network);
    if (status != MAP_OK)
        return status;
    return pattern->kind == MAP_GRID
               ? edges_of_grid(&problem->grid, problem->ranks, &problem->edges)
               : edges_of_graph(pattern, &problem->edges);
}

int map_problem_make(const struct map_pattern *pattern, const struct map_machine *machine,
                     struct map_problem **problem)
{
    struct map_problem *made = calloc(1, sizeof *made);
    if (!made)
        return MAP_NO_MEMORY;
    const int status = build(pattern, machine, made);
    if (status == MAP_OK)
        *problem = made;
    else
        map_problem_free(made);
    return status;
}

void map_problem_free(struct map_problem *problem)
{
    if (!problem)
        return;
    free(problem->edges.starts);
    free(problem->edges.neighbours);
    free(problem->edges.out);
    free(problem->edges.both);
    free(problem->network.places);
    free(problem->network.table);
    free(problem->vertex_of_node);
    free(problem->node_of_slot);
    free(problem->node_starts);
    free(problem->slots_by_node);
    free(problem);
}

int problem_of_grid(const struct map_problem *problem, const struct map_pattern *grid,
                    struct map_problem *other)
{
    int64_t ranks;
    *other = *problem;
    other->edges = (struct edges){0};
    if (grid->kind != MAP_GRID)
        return MAP_BAD_DIMS;
    const int status = grid_make(grid, &other->grid, &ranks);
    return status == MAP_OK && ranks != problem->ranks ? MAP_MISFIT : status;
}

int32_t cores_of_all(const struct map_problem *problem)
{
    const int32_t cores = problem->node_starts[1];
    for (int32_t node = 1; node < problem->nodes; node++)
        if (problem->node_starts[node + 1] - problem->node_starts[node] != cores)
            return 0;
    return cores;
}

void map_edges(const struct map_problem *problem, int64_t *starts, int64_t *neighbours,
               double *weights)
{
    const struct edges *edges = &problem->edges;
    for (int32_t rank = 0; rank <= problem->ranks; rank++)
        starts[rank] = edges->starts[rank];
    for (int64_t e = 0; neighbours && e < edges->starts[problem->ranks]; e++) {
        neighbours[e] = edges->neighbours[e];
        weights[e] = edges->out ? edges->out[e] : 1;
    }
}
