/** Rooted collectives: one rank's bytes to all, or all ranks' bytes to one. */
#include "pattern.h"

static void bcast(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    const int root = cell->root;
    const struct ring *ring = cell->rank == root ? &cell->out : &cell->in;
    for (long i = first; i < last; i++)
        tp_bcast(ring_at(ring, i), bytes, root);
}

static void gather(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    const int root = cell->root;
    for (long i = first; i < last; i++)
        tp_gather(ring_at(&cell->out, i), ring_at(&cell->in, i), bytes, root);
}

static void scatter(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    const int root = cell->root;
    for (long i = first; i < last; i++)
        tp_scatter(ring_at(&cell->out, i), ring_at(&cell->in, i), bytes, root);
}

static size_t offset_of(const struct cell *cell, long repetition)
{
    return (size_t)(ring_at(&cell->out, repetition) - cell->out.base);
}

static void fill_bcast(const struct cell *cell, long repetition)
{
    const size_t offset = offset_of(cell, repetition);
    if (cell->rank == cell->root)
        payload_fill(ring_at(&cell->out, repetition), cell->size_bytes, cell->root, offset);
    else
        payload_clear(ring_at(&cell->in, repetition), cell->size_bytes, cell->root, offset);
}

static bool check_bcast(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    const struct ring *ring = cell->rank == cell->root ? &cell->out : &cell->in;
    return payload_check(ring_at(ring, repetition), cell->size_bytes, cell->root,
                         offset_of(cell, repetition), mismatch);
}

static void fill_gather(const struct cell *cell, long repetition)
{
    const size_t bytes = cell->size_bytes, offset = offset_of(cell, repetition);
    payload_fill(ring_at(&cell->out, repetition), bytes, cell->rank, offset);
    if (cell->rank == cell->root)
        payload_clear_blocks(ring_at(&cell->in, repetition), bytes,
                             (struct owners){0, 1, cell->ranks}, offset);
}

static bool check_gather(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return cell->rank != cell->root ||
           payload_check_blocks(ring_at(&cell->in, repetition), cell->size_bytes,
                                (struct owners){0, 1, cell->ranks}, offset_of(cell, repetition),
                                mismatch);
}

static void fill_scatter(const struct cell *cell, long repetition)
{
    const size_t bytes = cell->size_bytes, offset = offset_of(cell, repetition);
    payload_clear(ring_at(&cell->in, repetition), bytes, cell->rank, offset);
    if (cell->rank == cell->root)
        payload_fill_blocks(ring_at(&cell->out, repetition), bytes,
                            (struct owners){0, 1, cell->ranks}, offset);
}

static bool check_scatter(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return payload_check(ring_at(&cell->in, repetition), cell->size_bytes, cell->rank,
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
    .fill = fill_bcast,
    .check = check_bcast,
};

const struct pattern pattern_gather = {
    .name = "gather",
    .summary = "every rank's bytes to the root",
    .algorithm = tp_gather_algorithm,
    .messages_per_repetition = 1,
    .granularity = 1,
    .least_bytes = 1,
    .keeps_input = true,
    .in_per_rank = true,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = gather,
    .fill = fill_gather,
    .check = check_gather,
};

const struct pattern pattern_scatter = {
    .name = "scatter",
    .summary = "a block of the root's to each rank",
    .algorithm = tp_scatter_algorithm,
    .messages_per_repetition = 1,
    .granularity = 1,
    .least_bytes = 1,
    .keeps_input = true,
    .out_per_rank = true,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = scatter,
    .fill = fill_scatter,
    .check = check_scatter,
};
