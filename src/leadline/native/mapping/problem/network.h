/** What connects the nodes. */
#ifndef LEADLINE_MAPPING_NETWORK_H
#define LEADLINE_MAPPING_NETWORK_H

#include <stdbool.h>

#include "mapping.h"

/** A torus or a tree, and where the nodes are in it. */
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

/** The network of `machine`, without nodes yet. Returns MAP_OK or what is wrong. */
int network_make(const struct map_machine *machine, struct network *network);

/** Writes where `vertex` is to `place` ([ndims]): coordinates, or switches from the lowest up. */
void place_vertex(const struct map_machine *machine, const struct network *network, int64_t vertex,
                  int32_t *place);

/** Places `nodes` nodes at their vertices. Returns MAP_OK or MAP_NO_MEMORY. */
int network_place(const struct map_machine *machine, const int64_t *vertex_of_node, int32_t nodes,
                  struct network *network);

/** Hops between two nodes that are placed. */
int32_t hops_computed(const struct network *network, int32_t node, int32_t other);

#endif
