/** The one symbol of this object that is looked for. */
#include "core/cartesian.h"
#include "core/graph.h"

__attribute__((visibility("default"))) extern const struct core leadline_map_core;

const struct core leadline_map_core = {
    .cart_create = cartesian_create,
    .cart_map = cartesian_map,
    .graph_create = graph_create,
    .graph_create_adjacent = adjacent_create,
};
