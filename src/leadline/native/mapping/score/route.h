/** Loads of directed links, numbered as map_links says. */
#ifndef LEADLINE_MAPPING_ROUTE_H
#define LEADLINE_MAPPING_ROUTE_H

#include "problem/problem.h"

/**
 * Loads, and a measure of how uneven they are: the sum of their fourth powers, which falls when the
 * largest do, and which a swap changes where its messages pass alone.
 */
struct traffic {
    double *loads;  /**< [map_links] */
    double largest; /**< of all there were so far */
    double unevenness;
};

/** Adds `weight` to every link on the way between two nodes; a negative weight takes it away. */
void traffic_add(struct traffic *traffic, const struct map_problem *problem, int32_t from,
                 int32_t to, double weight);

/** Adds what all ranks send when rank i is in slot `slots[i]`. */
void traffic_add_all(struct traffic *traffic, const struct map_problem *problem,
                     const int32_t *slots);

#endif
