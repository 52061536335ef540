/**
 * Neighbour collectives: each rank exchanges with its neighbours on a grid of all ranks alone.
 * Every rank of the job calls them, in the same order.
 */
#ifndef LEADLINE_TRANSPORT_NEIGHBOURS_H
#define LEADLINE_TRANSPORT_NEIGHBOURS_H

#include <stddef.h>

enum { TP_MOST_DIMENSIONS = 2, TP_MOST_NEIGHBOURS = 2 * TP_MOST_DIMENSIONS };

/**
 * The grid, periodic in every dimension, and this rank's place on it. Of two dimensions as nearly
 * equal as tp_size() can be factored into, the larger first, where it can; else a ring. Ranks are
 * numbered along the last dimension first, as MPI_Cart_create numbers them without reordering.
 */
struct tp_grid {
    int dimensions;
    int extents[TP_MOST_DIMENSIONS];
    int neighbour[TP_MOST_NEIGHBOURS]; /* 2 d: one back in dimension d; 2 d + 1: one ahead */
};

/**
 * The grid of this job. The same rank is a neighbour twice where an extent is 2, and a rank its own
 * where it is 1. Valid after tp_init; the same for every backend.
 */
const struct tp_grid *tp_grid(void);

/** Copies `bytes` bytes at `from` of neighbour i to block i, `to + i * bytes`, for each of them. */
void tp_neighbor_allgather(const void *from, void *to, size_t bytes);
extern const char tp_neighbor_allgather_algorithm[];

/**
 * Sends block i of `bytes` bytes, `from + i * bytes`, to neighbour i, and receives block i of `to`
 * from it: what left a neighbour ahead arrives from behind (MPI 4.1, section 8.6). Where both
 * neighbours in a dimension are the same rank, its two blocks may arrive in either order: MPI left
 * that open until 4.0, and libraries differ.
 */
void tp_neighbor_alltoall(const void *from, void *to, size_t bytes);
extern const char tp_neighbor_alltoall_algorithm[];

#endif
