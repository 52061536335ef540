/** Layouts as fallbacks read them. */
#ifndef LEADLINE_FALLBACK_LAYOUT_H
#define LEADLINE_FALLBACK_LAYOUT_H

#include "transport/transport.h"

/** A layout is an array of these, one for each rank. */
struct tp_layout {
    size_t count;
    size_t displacement;
};

/**
 * The block of `rank`. Where a backend has layouts of its own, but not every operation on them,
 * this function makes the link fail: its layouts can't be read here.
 */
struct tp_layout layout_block(const struct tp_layout *layout, int rank);

#endif
