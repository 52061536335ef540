/** Neighbour collectives on the grid of tp_grid: two neighbours in each of its dimensions. */
#include "patterns/pattern.h"

static void neighbor_allgather(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    for (long i = first; i < last; i++)
        tp_neighbor_allgather(ring_at(&cell->out, i), ring_at(&cell->in, i), bytes);
}

static void neighbor_alltoall(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    for (long i = first; i < last; i++)
        tp_neighbor_alltoall(ring_at(&cell->out, i), ring_at(&cell->in, i), bytes);
}

static int neighbours(void)
{
    return 2 * tp_grid()->dimensions;
}

/* Whose contents a block has, so that what a rank sends in different directions differs. */
static int owner_of(int rank, int block)
{
    return rank * TP_MOST_NEIGHBOURS + block;
}

static int received_owner(int block, int sent_block)
{
    return owner_of(tp_grid()->neighbour[block], sent_block);
}

static bool received(const struct cell *cell, long repetition, int block, int sent_block,
                     struct mismatch *mismatch)
{
    const size_t start = (size_t)block * cell->size_bytes;
    const bool right =
        payload_check(ring_at(&cell->in, repetition) + start, cell->size_bytes,
                      received_owner(block, sent_block), contents_of(cell, repetition), mismatch);
    mismatch->offset_bytes += start;
    return right;
}

static void clear(const struct cell *cell, long repetition, int block, int sent_block)
{
    payload_clear(ring_at(&cell->in, repetition) + (size_t)block * cell->size_bytes,
                  cell->size_bytes, received_owner(block, sent_block),
                  contents_of(cell, repetition));
}

static void send_from(const struct cell *cell, long repetition, int block)
{
    payload_fill(ring_at(&cell->out, repetition) + (size_t)block * cell->size_bytes,
                 cell->size_bytes, owner_of(cell->rank, block), contents_of(cell, repetition));
}

static void fill_allgather(const struct cell *cell, long repetition)
{
    send_from(cell, repetition, 0);
    for (int block = 0; block < neighbours(); block++)
        clear(cell, repetition, block, 0);
}

static bool check_allgather(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    for (int block = 0; block < neighbours(); block++)
        if (!received(cell, repetition, block, 0, mismatch))
            return false;
    return true;
}

static void fill_alltoall(const struct cell *cell, long repetition)
{
    for (int block = 0; block < neighbours(); block++) {
        send_from(cell, repetition, block);
        clear(cell, repetition, block, block ^ 1);
    }
}

/* What went ahead comes from behind. Where both neighbours are the same rank, MPI said so only in
   4.0, and libraries still differ: then the two blocks may have changed places. */
static bool check_alltoall(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    const int *neighbour = tp_grid()->neighbour;
    for (int block = 0; block < neighbours(); block += 2) {
        if (neighbour[block] == neighbour[block + 1] &&
            received(cell, repetition, block, block, mismatch) &&
            received(cell, repetition, block + 1, block + 1, mismatch))
            continue;
        if (!received(cell, repetition, block, block + 1, mismatch) ||
            !received(cell, repetition, block + 1, block, mismatch))
            return false;
    }
    return true;
}

const struct pattern pattern_neighbor_allgather = {
    .name = "neighbor_allgather",
    .summary = "every rank's bytes to each of its neighbours on a grid",
    .algorithm = tp_neighbor_allgather_algorithm,
    .messages_per_repetition = 1,
    .granularity = 1,
    .least_bytes = 1,
    .keeps_input = true,
    .in_room = ROOM_PER_NEIGHBOUR,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = neighbor_allgather,
    .fill = fill_allgather,
    .check = check_allgather,
};

const struct pattern pattern_neighbor_alltoall = {
    .name = "neighbor_alltoall",
    .summary = "a block of each rank to each of its neighbours on a grid",
    .algorithm = tp_neighbor_alltoall_algorithm,
    .messages_per_repetition = 1,
    .granularity = 1,
    .least_bytes = 1,
    .keeps_input = true,
    .out_room = ROOM_PER_NEIGHBOUR,
    .in_room = ROOM_PER_NEIGHBOUR,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = neighbor_alltoall,
    .fill = fill_alltoall,
    .check = check_alltoall,
};
