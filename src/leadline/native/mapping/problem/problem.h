/** The problem as the methods see it: edges as rows, nodes numbered densely, hops by a look-up. */
#ifndef LEADLINE_MAPPING_PROBLEM_H
#define LEADLINE_MAPPING_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

#include "mapping.h"

/** The axes of a grid, as given. */
struct grid {
    int ndims; /**< 0: the pattern is no grid */
    int32_t dims[MAP_MOST_DIMS];
    bool periodic[MAP_MOST_DIMS];
    double weights[2 * MAP_MOST_DIMS];
    bool diagonals;
};

/** Each unordered pair that exchanges anything stands in the rows of both its ranks. */
struct edges {
    int64_t *starts;     /**< [ranks + 1] */
    int32_t *neighbours; /**< [starts[ranks]] */
    double *out;         /**< sent from the row's rank to the neighbour; NULL: 1 everywhere */
    double *both;        /**< sent in both directions together; NULL: 2 everywhere */
};

/** What connects the nodes. */
struct network {
    int kind;
    int ndims; /**< axes of a torus, levels of a tree */
    int64_t dims[MAP_MOST_DIMS];
    bool periodic[MAP_MOST_DIMS];
    int64_t vertices;
    int64_t switches[MAP_MOST_DIMS]; /**< tree: number at each level */
    int32_t *places; /**< [nodes][ndims] coordinates, or switches from the lowest up */
    uint16_t *table; /**< [nodes][nodes] hops; NULL for many nodes */
};

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

/** An array of `count` items of `size` bytes, at least one; NULL: no memory. Not cleared. */
void *array_of(int64_t count, size_t size);

int edges_of_grid(const struct grid *grid, int32_t ranks, struct edges *edges);
int edges_of_graph(const struct map_pattern *pattern, struct edges *edges);
int network_make(const struct map_machine *machine, struct map_problem *problem);
int32_t hops_computed(const struct network *network, int32_t node, int32_t other);

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

#endif
