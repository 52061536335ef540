/** How a graph hangs together: its parts, and edges without which one would fall apart. */
#ifndef LEADLINE_MAPPING_CONNECTION_H
#define LEADLINE_MAPPING_CONNECTION_H

#include "problem/problem.h"

struct connection {
    int64_t parts; /**< that no edge connects */
    bool bridged;  /**< an edge lies on no circle */
    double
        lightest; /**< least weight that cuts a part: of an edge, or two where none is a bridge */
    double edge;  /**< least weight of an edge */
    uint64_t *whole; /**< bit c: c ranks may be whole parts */
};

/** Looks at the graph. Returns MAP_OK or MAP_NO_MEMORY. */
int connection_make(const struct map_problem *problem, bool weighted,
                    struct connection *connection);
void connection_free(struct connection *connection);

/** The least weight of edges between any `count` ranks, but not all, and the others. */
double connection_leaving(const struct connection *connection, int64_t count);

#endif
