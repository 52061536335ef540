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

#endif
