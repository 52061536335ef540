/** Orders of axes, and slots sorted by them. */
#ifndef LEADLINE_MAPPING_ORDERS_H
#define LEADLINE_MAPPING_ORDERS_H

#include "search/contest.h"

struct axis_order {
    int ndims;
    int axis[MAP_MOST_DIMS];
};

/** The order 0, 1, ...; it is the first. */
struct axis_order axis_order_first(int ndims);

/** The next order in the dictionary's sense; false after the last. */
bool axis_order_next(struct axis_order *order);

/**
 * All slots, to `slots` ([ranks]), by the coordinates of their nodes, the first axis of `order`
 * most significant; in a tree by the switches from the top down. Slots of a node stay in order.
 */
void sort_slots(struct contest *contest, const struct axis_order *order, int32_t *slots);

#endif
