/** The cuts of a few ranks: of every set of them. */
#ifndef LEADLINE_MAPPING_ALL_SETS_H
#define LEADLINE_MAPPING_ALL_SETS_H

#include "problem/problem.h"

enum { MOST_IN_SETS = 16 };

/** The least weight of edges between any c ranks and the others, to `leaving` ([ranks + 1]). */
void all_sets_leaving(const struct map_problem *problem, bool weighted, double *leaving);

#endif
