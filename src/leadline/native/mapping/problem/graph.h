/** The edges of any graph. */
#ifndef LEADLINE_MAPPING_GRAPH_H
#define LEADLINE_MAPPING_GRAPH_H

#include "mapping.h"
#include "problem/edges.h"

/** Makes the edges of `pattern`, a graph. Returns MAP_OK or what is wrong. */
int edges_of_graph(const struct map_pattern *pattern, struct edges *edges);

#endif
