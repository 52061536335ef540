/** The problem as the methods see it: edges as rows, nodes numbered densely, hops by a look-up. */
#ifndef LEADLINE_MAPPING_PROBLEM_H
#define LEADLINE_MAPPING_PROBLEM_H

#include <stddef.h>

#include "mapping.h"
#include "problem/edges.h"
#include "problem/grid.h"
#include "problem/network.h"

struct map_problem {
    int32_t ranks;
    int32_t nodes;
    struct grid grid;
    struct edges edges;
    struct network network;
    int64_t *vertex_of_node;
    int32_t *node_of_slot;
    int32_t *node_starts; /**< [nodes + 1] where each node's slots begin in slots_by_node */
    int32_t *slots_by_node;
};

/** Hops between two nodes. */
static inline int32_t hops_between(const struct map_problem *problem, int32_t node, int32_t other)
{
    if (problem->network.table)
        return problem->network.table[(size_t)node * (size_t)problem->nodes + (size_t)other];
    return hops_computed(&problem->network, node, other);
}

/** Where `node` is: coordinates, or switches from the lowest up. */
static inline const int32_t *place_of(const struct map_problem *problem, int32_t node)
{
    return problem->network.places + (size_t)node * (size_t)problem->network.ndims;
}

/**
 * Another grid of as many ranks on the machine of `problem`, whose lists it shares: it isn't to be
 * freed, and has no edges. Returns MAP_OK, a status of grid_make, MAP_BAD_DIMS, or MAP_MISFIT.
 */
int problem_of_grid(const struct map_problem *problem, const struct map_pattern *grid,
                    struct map_problem *other);

/** Slots of every node; 0: they differ. */
int32_t cores_of_all(const struct map_problem *problem);

#endif
