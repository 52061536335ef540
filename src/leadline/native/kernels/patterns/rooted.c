/** Rooted collectives: one rank's bytes to all. */
#include "pattern.h"

static void bcast(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    const int root = cell->root;
    const struct ring *ring = cell->rank == root ? &cell->out : &cell->in;
    for (long i = first; i < last; i++)
        tp_bcast(ring_at(ring, i), bytes, root);
}

static size_t offset_of(const struct cell *cell, long repetition)
{
    return (size_t)(ring_at(&cell->out, repetition) - cell->out.base);
}

static void fill(const struct cell *cell, long repetition)
{
    const size_t offset = offset_of(cell, repetition);
    if (cell->rank == cell->root)
        payload_fill(ring_at(&cell->out, repetition), cell->size_bytes, cell->root, offset);
    else
        payload_clear(ring_at(&cell->in, repetition), cell->size_bytes, cell->root, offset);
}

static bool check(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    const struct ring *ring = cell->rank == cell->root ? &cell->out : &cell->in;
    return payload_check(ring_at(ring, repetition), cell->size_bytes, cell->root,
                         offset_of(cell, repetition), mismatch);
}

const struct pattern pattern_bcast = {
    .name = "bcast",
    .summary = "the root's bytes to every rank",
    .algorithm = tp_bcast_algorithm,
    .messages_per_repetition = 1,
    .granularity = 1,
    .least_bytes = 1,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = bcast,
    .fill = fill,
    .check = check,
};
