/** Rows of edges as bounds count them. */
#ifndef LEADLINE_MAPPING_ROWS_H
#define LEADLINE_MAPPING_ROWS_H

#include "problem/problem.h"

/** What goes both ways over entry `e` of the rows; `weighted` false: 1 each way. */
static inline double entry_weight(const struct map_problem *problem, bool weighted, int64_t e)
{
    return weighted && problem->edges.both ? problem->edges.both[e] : 2;
}

/** Whether a rank may stand twice in a row, as one does around a ring of two. */
bool rows_have_doubles(const struct grid *grid);

/** The most entries of a row. */
int64_t longest_row(const struct map_problem *problem);

/** Which entries of a row count, and by which weight. */
enum row_part {
    ROW_BOTH, /**< all, by what goes both ways */
    ROW_SENT, /**< all, by what the rank sends */
    ROW_OWN   /**< as ROW_BOTH, but each pair in one row: the longer one */
};

/**
 * Weights of what `rank` exchanges with each of its neighbours, the largest first, to `weights`
 * ([longest_row]). Returns how many neighbours those are.
 */
int64_t row_weights(const struct map_problem *problem, bool weighted, enum row_part part,
                    int32_t rank, double *weights);

/** Whether the row of `rank` has the weights of the one before it, entry by entry. */
bool is_row_as_before(const struct map_problem *problem, bool weighted, int32_t rank);

/** The greatest number of which all weights are multiples; 0: none to speak of. */
double common_unit(const struct map_problem *problem, bool weighted, bool sent);

/** Whether every rank has an even number of entries: then all edges are parts of ways around. */
bool has_even_rows(const struct map_problem *problem);

/** What each entry weighs, both ways; 0: they differ. */
double weight_of_all(const struct map_problem *problem, bool weighted);

#endif
