/** The one evaluator: every figure that is compared or shown comes from here. */
#ifndef LEADLINE_MAPPING_EVALUATE_H
#define LEADLINE_MAPPING_EVALUATE_H

#include "problem/problem.h"

/** A metric's value, and of equal ones what comes next. */
struct score {
    double value, next;
};

/** Whether `a` is better than `b`. */
static inline bool is_better(struct score a, struct score b)
{
    return a.value < b.value || (a.value == b.value && a.next < b.next);
}

/** Whether edges between nodes say all: they weigh 1 and pass two links of one switch. */
bool is_flat(const struct map_problem *problem);

/** Scores `slots` ([ranks], a permutation) by `metric`. Returns MAP_OK or MAP_NO_MEMORY. */
int score_by(const struct map_problem *problem, int metric, const int32_t *slots,
             struct score *score);

#endif
