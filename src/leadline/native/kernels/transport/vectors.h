/**
 * Collectives over blocks of different lengths ("v-variants"): every rank of the job calls them, in
 * the same order.
 */
#ifndef LEADLINE_TRANSPORT_VECTORS_H
#define LEADLINE_TRANSPORT_VECTORS_H

#include <stddef.h>

#include "transport/collective.h"

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

#endif
