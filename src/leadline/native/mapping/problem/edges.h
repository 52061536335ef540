/** Who exchanges with whom. */
#ifndef LEADLINE_MAPPING_EDGES_H
#define LEADLINE_MAPPING_EDGES_H

#include <stdint.h>

/** Each unordered pair that exchanges anything stands in the rows of both its ranks. */
struct edges {
    int64_t *starts;     /**< [ranks + 1] */
    int32_t *neighbours; /**< [starts[ranks]] */
    double *out;         /**< sent from the row's rank to the neighbour; NULL: 1 everywhere */
    double *both;        /**< sent in both directions together; NULL: 2 everywhere */
};

#endif
