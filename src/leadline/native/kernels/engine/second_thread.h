/** A second thread in each rank, for patterns in which two send at the same time. */
#ifndef LEADLINE_SECOND_THREAD_H
#define LEADLINE_SECOND_THREAD_H

#include "patterns/pattern.h"

/**
 * Runs repetitions first .. last - 1 of `pattern`: `run` in the calling thread and, where there is
 * one, `second` in the second thread at the same time. Returns when both are through.
 *
 * The second thread is started when it is first needed, and bound where LEADLINE_BIND has an entry
 * for it. Between repetitions it looks for more for a while, then sleeps, so that it takes no
 * processor from other launches between slices.
 */
void second_thread_run(const struct pattern *pattern, const struct cell *cell, long first,
                       long last);

#endif
