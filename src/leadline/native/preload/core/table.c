/** The one symbol of this object that is looked for. */
#include "core/cartesian.h"

__attribute__((visibility("default"))) extern const struct core leadline_map_core;

const struct core leadline_map_core = {
    .cart_create = cartesian_create,
};
