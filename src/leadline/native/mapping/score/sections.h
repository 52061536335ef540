/** Where a torus can be cut in two, and what shares a node or a switch. */
#ifndef LEADLINE_MAPPING_SECTIONS_H
#define LEADLINE_MAPPING_SECTIONS_H

#include "problem/problem.h"

/** One or two planes across an axis that part the torus. */
struct section {
    int64_t slots; /**< on one side */
    double hops;   /**< of each message between the sides, at least */
    double links;  /**< directed ones between the sides */
};

struct sections {
    struct section *list;
    int64_t count;
};

/**
 * Along each axis as many as give all hops when added up: a plane at each place of an open axis; in
 * a ring of L two opposite ones, which L/2 of part any two vertices once for each hop, or where L
 * is odd L of them for each half hop. `all`: every two planes of rings that aren't long.
 * Returns MAP_OK or MAP_NO_MEMORY; `sections->list` is to be freed.
 */
int list_sections(const struct map_problem *problem, bool all, struct sections *sections);

/** How many slots are under each switch of `level` (-1: on each node), to `sizes`; their number. */
int64_t count_groups(const struct map_problem *problem, int level, int64_t *sizes);

/** As many as any level may have groups. */
int64_t most_groups(const struct map_problem *problem);

/** Directed links that leave a node and that messages may use. */
int links_of_node(const struct map_problem *problem, int32_t node);

/** Directed links of a torus that messages may use. */
double links_of_torus(const struct network *network);

/** Whether any way back to where it began has an even number of hops. */
bool is_bipartite(const struct network *network);

#endif
