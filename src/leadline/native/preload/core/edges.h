/** The edges of a graph, of which each rank knows some, brought together at rank 0. */
#ifndef LEADLINE_PRELOAD_EDGES_H
#define LEADLINE_PRELOAD_EDGES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "mapping.h"

/** From one rank to another, and how heavy. */
struct edge {
    int source, destination, weight;
};

/** What rank 0 has of all edges, to be freed by edges_free. */
struct whole_graph {
    int64_t *starts;
    int64_t *neighbours;
    double *weights;
};

/**
 * Whether `count` neighbours are ranks below `size`, with weights that are none below 0; `weights`
 * may be MPI_UNWEIGHTED.
 */
bool edges_valid(int count, const int *neighbours, const int *weights, int size);

/** The weight of edge `k`. */
int edges_weight(const int *weights, int k);

/**
 * All ranks of `comm` call this, each with its `count` edges, or -1 where its arguments are wrong.
 * Returns false at all where some rank's are, where they are too many, or where the library fails;
 * else `whole` is filled at rank 0.
 */
bool edges_gather(MPI_Comm comm, int64_t count, const struct edge *edges,
                  struct whole_graph *whole);

/** The whole graph of `ranks` ranks, as native/mapping wants it. */
struct map_pattern edges_pattern(const struct whole_graph *whole, int ranks);

/** Frees what edges_gather filled, or nothing where it is all zeros. */
void edges_free(struct whole_graph *whole);

#endif
