/** What a graph must be. */
#ifndef LEADLINE_FLOW_CHECK_H
#define LEADLINE_FLOW_CHECK_H

#include "flow.h"

/** FLOW_OK, or what is wrong and the number of the resource or task that it is wrong with. */
int check_graph(const struct flow_graph *graph, int64_t *culprit);

#endif
