/** Collective operations: every rank of the job calls them, in the same order. */
#ifndef LEADLINE_TRANSPORT_COLLECTIVE_H
#define LEADLINE_TRANSPORT_COLLECTIVE_H

#include <stddef.h>

/** Element type of a reduction. Both are 8 bytes wide. */
enum tp_type { TP_DOUBLE, TP_INT64 };

/** Operator of a reduction; logical and is one of TP_INT64 alone, its result 0 or 1. */
enum tp_op { TP_SUM, TP_MAX, TP_LAND };

/**
 * Returns when every rank has called it. The backend's preferred barrier. What ranks stored in
 * symmetric memory before it is ordered where each calls tp_symmetric_sync before and after.
 */
void tp_barrier(void);
extern const char tp_barrier_algorithm[];

/** A barrier on one counter that every rank increments atomically, spinning (shared memory). */
void tp_barrier_counter(void);
extern const char tp_barrier_counter_algorithm[];

/** A barrier that sleeps in the kernel until the last rank wakes the others (shared memory). */
void tp_barrier_futex(void);
extern const char tp_barrier_futex_algorithm[];

/** A barrier of ceil(log2 p) rounds of notifications (Hensgen, Finkel and Manber 1988). */
void tp_barrier_dissemination(void);
extern const char tp_barrier_dissemination_algorithm[];

/** Copies `bytes` bytes at `buffer` of rank `root` to `buffer` of every other rank. */
void tp_bcast(void *buffer, size_t bytes, int root);
extern const char tp_bcast_algorithm[];

/**
 * Combines `count` elements at `from` of all ranks elementwise by `op` and leaves the result at
 * `to` on every rank. `from` and `to` must not overlap.
 */
void tp_allreduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op);
extern const char tp_allreduce_algorithm[];

/** Like tp_allreduce, but the result is left on rank `root` alone; elsewhere `to` isn't touched. */
void tp_reduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op,
               int root);
extern const char tp_reduce_algorithm[];

/**
 * Combines tp_size() blocks of `count` elements at `from` of all ranks elementwise by `op`; rank r
 * is left with block r of the result at `to`. `from` and `to` must not overlap.
 */
void tp_reduce_scatter(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op);
extern const char tp_reduce_scatter_algorithm[];

/** Leaves on rank r the combination of ranks 0 .. r at `to`. `from` and `to` must not overlap. */
void tp_scan(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op);
extern const char tp_scan_algorithm[];

/** Leaves on rank r the combination of ranks 0 .. r - 1 at `to`, on rank 0 nothing defined. */
void tp_exscan(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op);
extern const char tp_exscan_algorithm[];

/**
 * Copies `bytes` bytes at `from` of each rank to block r, `to + r * bytes`, of rank `root`;
 * elsewhere `to` isn't touched. `from` and `to` must not overlap, here and below.
 */
void tp_gather(const void *from, void *to, size_t bytes, int root);
extern const char tp_gather_algorithm[];

/** Copies block r of `bytes` bytes, `from + r * bytes` on rank `root`, to `to` of each rank r. */
void tp_scatter(const void *from, void *to, size_t bytes, int root);
extern const char tp_scatter_algorithm[];

/** Copies `bytes` bytes at `from` of each rank r to block r, `to + r * bytes`, of every rank. */
void tp_allgather(const void *from, void *to, size_t bytes);
extern const char tp_allgather_algorithm[];

/** Copies block r of `bytes` bytes, `from + r * bytes` on rank q, to `to + q * bytes` on rank r. */
void tp_alltoall(const void *from, void *to, size_t bytes);
extern const char tp_alltoall_algorithm[];

/* -- blocks of different lengths --------------------------------------------------------------- */

/* Collectives over blocks of different lengths ("v-variants"). */

/**
 * Where the blocks of all ranks lie in one piece of memory, in the form that the backend's library
 * wants, so that a timed loop converts nothing. Counts and displacements are in bytes; in
 * reductions in elements.
 */
struct tp_layout;

/**
 * The layout of tp_size() blocks: block r has counts[r] units from displacements[r] on. Ends the
 * rank where that is beyond what the library counts to, or there is no memory.
 */
struct tp_layout *tp_layout_make(const size_t *counts, const size_t *displacements);
extern const char tp_layout_algorithm[];

/** Gives back what tp_layout_make returned. NULL is allowed. */
void tp_layout_free(struct tp_layout *layout);

/**
 * Like tp_gather, the block of each rank as `blocks` says, which is the same on all ranks: `from`
 * of rank r is as long as its block. `from` and `to` must not overlap, here and below.
 */
void tp_gatherv(const void *from, void *to, const struct tp_layout *blocks, int root);
extern const char tp_gatherv_algorithm[];

/** Like tp_scatter, the block of each rank as `blocks` says, which is the same on all ranks. */
void tp_scatterv(const void *from, const struct tp_layout *blocks, void *to, int root);
extern const char tp_scatterv_algorithm[];

/** Like tp_allgather, the block of each rank as `blocks` says, which is the same on all ranks. */
void tp_allgatherv(const void *from, void *to, const struct tp_layout *blocks);
extern const char tp_allgatherv_algorithm[];

/** Like tp_alltoall; block r of `sent` on rank q is as long as block q of `received` on rank r. */
void tp_alltoallv(const void *from, const struct tp_layout *sent, void *to,
                  const struct tp_layout *received);
extern const char tp_alltoallv_algorithm[];

/** Like tp_reduce_scatter, the blocks side by side, in the lengths of `blocks`, on all ranks. */
void tp_reduce_scatterv(const void *from, const struct tp_layout *blocks, void *to,
                        enum tp_type type, enum tp_op op);
extern const char tp_reduce_scatterv_algorithm[];

/* -- neighbours -------------------------------------------------------------------------------- */

/* Each rank exchanges with its neighbours on a grid of all ranks alone. */

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

/* -- non-blocking ------------------------------------------------------------------------------ */

/*
 * Collectives that return before they are done: each rank starts them in a slot of its own choice
 * (transport/two_sided.h), and waits for them there. What they leave is what the operation without
 * the i leaves.
 *
 * A backend brings all of them or none.
 */

/** Complete when every rank has started it. */
void tp_ibarrier(int slot);
extern const char tp_ibarrier_algorithm[];

/** tp_bcast. */
void tp_ibcast(void *buffer, size_t bytes, int root, int slot);
extern const char tp_ibcast_algorithm[];

/** tp_allreduce. */
void tp_iallreduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op,
                   int slot);
extern const char tp_iallreduce_algorithm[];

/** tp_allgather. */
void tp_iallgather(const void *from, void *to, size_t bytes, int slot);
extern const char tp_iallgather_algorithm[];

/** tp_alltoall. */
void tp_ialltoall(const void *from, void *to, size_t bytes, int slot);
extern const char tp_ialltoall_algorithm[];

#endif
