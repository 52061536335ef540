/** Runs a pattern: by one thread in each rank, or by two at the same time. */
#ifndef LEADLINE_REPETITIONS_H
#define LEADLINE_REPETITIONS_H

#include "patterns/pattern.h"

/**
 * Runs repetitions first .. last - 1 of `pattern`: `run` in the calling thread and, where there is
 * one, `second` in the second thread at the same time. Returns when both are through.
 *
 * The second thread is started when it is first needed, and bound as LEADLINE_BIND has it. Between
 * repetitions it looks for more for a while, then sleeps, so that it takes no processor from other
 * launches between slices.
 */
void repetitions_run(const struct pattern *pattern, const struct cell *cell, long first, long last);

#endif
