/** The two threads of a rank, which take turns, too: they are contexts of one. */
#ifndef LEADLINE_MUTANTS_THREADS_H
#define LEADLINE_MUTANTS_THREADS_H

#include "patterns/pattern.h"

/** Runs both threads' repetitions of `pattern`. */
void threads_run(const struct pattern *pattern, const struct cell *cell, long first, long last);

/** Lets other ranks, then the other thread of this one, go on until they wait. */
void threads_pass(void);

#endif
