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

/*
 * Arguments by the standard's names; reorder is 1. `own` is the library's function, to be cast to
 * its type: by its name what is preloaded would be found before it.
 */

/** Of MPI_Cart_create and MPI_Cart_map. */
struct cartesian_call {
    intptr_t comm;
    int ndims;
    const int *dims;
    const int *periods;
    void (*own)(void); /**< NULL of MPI_Cart_map */
};

/** Of MPI_Dist_graph_create. */
struct graph_call {
    intptr_t comm;
    int n;
    const int *sources;
    const int *degrees;
    const int *destinations;
    const int *weights;
    intptr_t info;
    void (*own)(void);
};

/** Of MPI_Dist_graph_create_adjacent. */
struct adjacent_call {
    intptr_t comm;
    int indegree;
    const int *sources;
    const int *sourceweights;
    int outdegree;
    const int *destinations;
    const int *destweights;
    intptr_t info;
    void (*own)(void);
};

/**
 * Each is called by all ranks of `comm`, in mode on or report. It returns false where the library
 * itself is to do what it was asked, as if nothing were preloaded; else true, and `*status` is what
 * the program gets.
 */
struct core {
    bool (*cart_create)(const struct cartesian_call *call, void *newcomm, int *status);
    bool (*cart_map)(const struct cartesian_call *call, int *newrank, int *status);
    bool (*graph_create)(const struct graph_call *call, void *newcomm, int *status);
    bool (*graph_create_adjacent)(const struct adjacent_call *call, void *newcomm, int *status);
};

#endif
