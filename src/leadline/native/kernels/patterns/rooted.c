/** Rooted collectives: one rank's bytes to all, or all ranks' bytes to one. */
#include "patterns/pattern.h"

/* The buffer of this rank: sent from, or received into. */
static inline char *bcast_at(const struct cell *cell, long repetition)
{
    const bool sends = cell->rank == root_at(cell, repetition);
    return ring_at(sends ? &cell->out : &cell->in, repetition);
}

static void bcast(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    for (long i = first; i < last; i++)
        tp_bcast(bcast_at(cell, i), bytes, root_at(cell, i));
}

static void ibcast(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    const struct work work = cell->work;
    if (computed(cell, first, last))
        return;
    for (long i = first; i < last; i++) {
        tp_ibcast(bcast_at(cell, i), bytes, root_at(cell, i), OVERLAP_SLOT);
        overlap(work);
        tp_wait(OVERLAP_SLOT);
    }
}

static void gather(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    for (long i = first; i < last; i++)
        tp_gather(ring_at(&cell->out, i), ring_at(&cell->in, i), bytes, root_at(cell, i));
}

static void scatter(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    for (long i = first; i < last; i++)
        tp_scatter(ring_at(&cell->out, i), ring_at(&cell->in, i), bytes, root_at(cell, i));
}

static void fill_bcast(const struct cell *cell, long repetition)
{
    const int root = root_at(cell, repetition);
    const size_t offset = contents_of(cell, repetition);
    if (cell->rank == root)
        payload_fill(bcast_at(cell, repetition), cell->size_bytes, root, offset);
    else
        payload_clear(bcast_at(cell, repetition), cell->size_bytes, root, offset);
}

static bool check_bcast(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return payload_check(bcast_at(cell, repetition), cell->size_bytes, root_at(cell, repetition),
                         contents_of(cell, repetition), mismatch);
}

static void fill_gather(const struct cell *cell, long repetition)
{
    const size_t bytes = cell->size_bytes, offset = contents_of(cell, repetition);
    payload_fill(ring_at(&cell->out, repetition), bytes, cell->rank, offset);
    if (cell->rank == root_at(cell, repetition))
        payload_clear_blocks(ring_at(&cell->in, repetition), bytes,
                             (struct owners){0, 1, cell->ranks}, offset);
}

static bool check_gather(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return cell->rank != root_at(cell, repetition) ||
           payload_check_blocks(ring_at(&cell->in, repetition), cell->size_bytes,
                                (struct owners){0, 1, cell->ranks}, contents_of(cell, repetition),
                                mismatch);
}

static void fill_scatter(const struct cell *cell, long repetition)
{
    const size_t bytes = cell->size_bytes, offset = contents_of(cell, repetition);
    payload_clear(ring_at(&cell->in, repetition), bytes, cell->rank, offset);
    if (cell->rank == root_at(cell, repetition))
        payload_fill_blocks(ring_at(&cell->out, repetition), bytes,
                            (struct owners){0, 1, cell->ranks}, offset);
}

static bool check_scatter(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return payload_check(ring_at(&cell->in, repetition), cell->size_bytes, cell->rank,
                         contents_of(cell, repetition), mismatch);
}

const struct pattern pattern_bcast = {
    .name = "bcast",
    .summary = "the root's bytes to every rank",
    .algorithm = tp_bcast_algorithm,
    .options = 1u << OPTION_ROOT,
    .messages_per_repetition = 1,
    .granularity = 1,
    .least_bytes = 1,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = bcast,
    .fill = fill_bcast,
    .check = check_bcast,
};

const struct pattern pattern_ibcast = {
    .name = "ibcast",
    .summary = "the root's bytes to every rank, started and waited for",
    .algorithm = tp_ibcast_algorithm,
    .options = 1u << OPTION_ROOT | OVERLAP_AND_WORK,
    .messages_per_repetition = 1,
    .granularity = 1,
    .least_bytes = 1,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .computation = computation_beside,
    .run = ibcast,
    .fill = fill_bcast,
    .check = check_bcast,
};

const struct pattern pattern_gather = {
    .name = "gather",
    .summary = "every rank's bytes to the root",
    .algorithm = tp_gather_algorithm,
    .options = 1u << OPTION_ROOT,
    .messages_per_repetition = 1,
    .granularity = 1,
    .least_bytes = 1,
    .keeps_input = true,
    .in_room = ROOM_PER_RANK,
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
    .options = 1u << OPTION_ROOT,
    .messages_per_repetition = 1,
    .granularity = 1,
    .least_bytes = 1,
    .keeps_input = true,
    .out_room = ROOM_PER_RANK,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = scatter,
    .fill = fill_scatter,
    .check = check_scatter,
};
