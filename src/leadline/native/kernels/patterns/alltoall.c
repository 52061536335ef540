/** Collectives without a root: every rank's bytes to every rank. */
#include "patterns/pattern.h"

static void allgather(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    for (long i = first; i < last; i++)
        tp_allgather(ring_at(&cell->out, i), ring_at(&cell->in, i), bytes);
}

static void alltoall(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    for (long i = first; i < last; i++)
        tp_alltoall(ring_at(&cell->out, i), ring_at(&cell->in, i), bytes);
}

static void iallgather(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    const struct work work = cell->work;
    if (computed(cell, first, last))
        return;
    for (long i = first; i < last; i++) {
        tp_iallgather(ring_at(&cell->out, i), ring_at(&cell->in, i), bytes, OVERLAP_SLOT);
        overlap(work);
        tp_wait(OVERLAP_SLOT);
    }
}

static void ialltoall(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    const struct work work = cell->work;
    if (computed(cell, first, last))
        return;
    for (long i = first; i < last; i++) {
        tp_ialltoall(ring_at(&cell->out, i), ring_at(&cell->in, i), bytes, OVERLAP_SLOT);
        overlap(work);
        tp_wait(OVERLAP_SLOT);
    }
}

static void fill_allgather(const struct cell *cell, long repetition)
{
    const size_t bytes = cell->size_bytes, offset = contents_of(cell, repetition);
    payload_fill(ring_at(&cell->out, repetition), bytes, cell->rank, offset);
    payload_clear_blocks(ring_at(&cell->in, repetition), bytes, (struct owners){0, 1, cell->ranks},
                         offset);
}

static bool check_allgather(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return payload_check_blocks(ring_at(&cell->in, repetition), cell->size_bytes,
                                (struct owners){0, 1, cell->ranks}, contents_of(cell, repetition),
                                mismatch);
}

/* The counterpart of received_by. */
static struct owners sent_by(const struct cell *cell)
{
    return (struct owners){cell->rank * cell->ranks, 1, cell->ranks};
}

static void fill_alltoall(const struct cell *cell, long repetition)
{
    const size_t bytes = cell->size_bytes, offset = contents_of(cell, repetition);
    payload_fill_blocks(ring_at(&cell->out, repetition), bytes, sent_by(cell), offset);
    payload_clear_blocks(ring_at(&cell->in, repetition), bytes, received_by(cell), offset);
}

static bool check_alltoall(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return payload_check_blocks(ring_at(&cell->in, repetition), cell->size_bytes, received_by(cell),
                                contents_of(cell, repetition), mismatch);
}

const struct pattern pattern_allgather = {
    .name = "allgather",
    .summary = "every rank's bytes to every rank",
    .algorithm = tp_allgather_algorithm,
    .messages_per_repetition = 1,
    .granularity = 1,
    .least_bytes = 1,
    .keeps_input = true,
    .in_room = ROOM_PER_RANK,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = allgather,
    .fill = fill_allgather,
    .check = check_allgather,
};

const struct pattern pattern_iallgather = {
    .name = "iallgather",
    .summary = "every rank's bytes to every rank, started and waited for",
    .algorithm = tp_iallgather_algorithm,
    .options = OVERLAP_AND_WORK,
    .messages_per_repetition = 1,
    .granularity = 1,
    .least_bytes = 1,
    .keeps_input = true,
    .in_room = ROOM_PER_RANK,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .computation = computation_beside,
    .run = iallgather,
    .fill = fill_allgather,
    .check = check_allgather,
};

const struct pattern pattern_alltoall = {
    .name = "alltoall",
    .summary = "a block of each rank to each other rank",
    .algorithm = tp_alltoall_algorithm,
    .messages_per_repetition = 1,
    .granularity = 1,
    .least_bytes = 1,
    .keeps_input = true,
    .out_room = ROOM_PER_RANK,
    .in_room = ROOM_PER_RANK,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = alltoall,
    .fill = fill_alltoall,
    .check = check_alltoall,
};

const struct pattern pattern_ialltoall = {
    .name = "ialltoall",
    .summary = "a block of each rank to each other rank, started and waited for",
    .algorithm = tp_ialltoall_algorithm,
    .options = OVERLAP_AND_WORK,
    .messages_per_repetition = 1,
    .granularity = 1,
    .least_bytes = 1,
    .keeps_input = true,
    .out_room = ROOM_PER_RANK,
    .in_room = ROOM_PER_RANK,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .computation = computation_beside,
    .run = ialltoall,
    .fill = fill_alltoall,
    .check = check_alltoall,
};
