/**
 * What the object that is preloaded calls in the one that knows the library: it is loaded when a
 * program first asks for ranks to be reordered. Handles of MPI are as wide as a pointer here; of a
 * library whose handles are ints the upper half means nothing.
 */
#ifndef LEADLINE_PRELOAD_CORE_H
#define LEADLINE_PRELOAD_CORE_H

#include <stdbool.h>
#include <stdint.h>

#define CORE_FILE "leadline_map_core.so"
#define CORE_TABLE "leadline_map_core"

/** An argument list each, as the standard has it. */
struct cartesian_call {
    intptr_t comm;
    int ndims;
    const int *dims;
    const int *periods;
};

/**
 * Each is called by all ranks of `comm` with reorder=1, in mode on or report. It returns false
 * where the library itself is to do what it was asked, as if nothing were preloaded; else true, and
 * `*status` is what the program gets.
 */
struct core {
    bool (*cart_create)(const struct cartesian_call *call, void *newcomm, int *status);
};

#endif
