/** Collectives over blocks of different lengths: cell->shares says which rank has which. */
#include "patterns/pattern.h"

static void gatherv(const struct cell *cell, long first, long last)
{
    const struct tp_layout *blocks = cell->shares.blocks;
    for (long i = first; i < last; i++)
        tp_gatherv(ring_at(&cell->out, i), ring_at(&cell->in, i), blocks, root_at(cell, i));
}

static void scatterv(const struct cell *cell, long first, long last)
{
    const struct tp_layout *blocks = cell->shares.blocks;
    for (long i = first; i < last; i++)
        tp_scatterv(ring_at(&cell->out, i), blocks, ring_at(&cell->in, i), root_at(cell, i));
}

static void allgatherv(const struct cell *cell, long first, long last)
{
    const struct tp_layout *blocks = cell->shares.blocks;
    for (long i = first; i < last; i++)
        tp_allgatherv(ring_at(&cell->out, i), ring_at(&cell->in, i), blocks);
}

static void alltoallv(const struct cell *cell, long first, long last)
{
    const struct tp_layout *sent = cell->shares.blocks, *received = cell->shares.received;
    for (long i = first; i < last; i++)
        tp_alltoallv(ring_at(&cell->out, i), sent, ring_at(&cell->in, i), received);
}

static void reduce_scatterv(const struct cell *cell, long first, long last)
{
    const struct tp_layout *blocks = cell->shares.blocks;
    const enum tp_type type = type_of(cell);
    const enum tp_op op = op_of(cell);
    for (long i = first; i < last; i++)
        tp_reduce_scatterv(ring_at(&cell->out, i), blocks, ring_at(&cell->in, i), type, op);
}

static size_t own_bytes(const struct cell *cell)
{
    return cell->shares.bytes[cell->rank];
}

/* `put` is payload_fill or payload_clear; block r has the contents of owner `first_owner` + r. */
static void put_blocks(const struct cell *cell, void (*put)(char *, size_t, int, size_t), char *to,
                       int first_owner, size_t offset)
{
    for (int rank = 0; rank < cell->ranks; rank++)
        put(to + cell->shares.offsets[rank], cell->shares.bytes[rank], first_owner + rank, offset);
}

static bool check_blocks(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    const size_t *offsets = cell->shares.offsets;
    for (int rank = 0; rank < cell->ranks; rank++) {
        if (!payload_check(ring_at(&cell->in, repetition) + offsets[rank], cell->shares.bytes[rank],
                           rank, contents_of(cell, repetition), mismatch)) {
            mismatch->offset_bytes += offsets[rank];
            return false;
        }
    }
    return true;
}

static void fill_gatherv(const struct cell *cell, long repetition)
{
    const size_t offset = contents_of(cell, repetition);
    payload_fill(ring_at(&cell->out, repetition), own_bytes(cell), cell->rank, offset);
    if (cell->rank == root_at(cell, repetition))
        put_blocks(cell, payload_clear, ring_at(&cell->in, repetition), 0, offset);
}

static bool check_gatherv(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return cell->rank != root_at(cell, repetition) || check_blocks(cell, repetition, mismatch);
}

static void fill_scatterv(const struct cell *cell, long repetition)
{
    const size_t offset = contents_of(cell, repetition);
    payload_clear(ring_at(&cell->in, repetition), own_bytes(cell), cell->rank, offset);
    if (cell->rank == root_at(cell, repetition))
        put_blocks(cell, payload_fill, ring_at(&cell->out, repetition), 0, offset);
}

static bool check_scatterv(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return payload_check(ring_at(&cell->in, repetition), own_bytes(cell), cell->rank,
                         contents_of(cell, repetition), mismatch);
}

static void fill_allgatherv(const struct cell *cell, long repetition)
{
    const size_t offset = contents_of(cell, repetition);
    payload_fill(ring_at(&cell->out, repetition), own_bytes(cell), cell->rank, offset);
    put_blocks(cell, payload_clear, ring_at(&cell->in, repetition), 0, offset);
}

static void fill_alltoallv(const struct cell *cell, long repetition)
{
    const size_t offset = contents_of(cell, repetition);
    put_blocks(cell, payload_fill, ring_at(&cell->out, repetition), cell->rank * cell->ranks,
               offset);
    payload_clear_blocks(ring_at(&cell->in, repetition), own_bytes(cell), received_by(cell),
                         offset);
}

static bool check_alltoallv(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return payload_check_blocks(ring_at(&cell->in, repetition), own_bytes(cell), received_by(cell),
                                contents_of(cell, repetition), mismatch);
}

static void fill_reduce_scatterv(const struct cell *cell, long repetition)
{
    const size_t offset = elements_of(repetition);
    payload_fill_elements(ring_at(&cell->out, repetition),
                          (size_t)cell->ranks * cell->size_bytes / 8, reduction_of(cell),
                          cell->rank, offset);
    payload_clear(ring_at(&cell->in, repetition), own_bytes(cell), cell->rank, offset);
}

static bool check_reduce_scatterv(const struct cell *cell, long repetition,
                                  struct mismatch *mismatch)
{
    return payload_check_elements(
        ring_at(&cell->in, repetition), own_bytes(cell) / 8, reduction_of(cell), cell->ranks,
        elements_of(repetition) + cell->shares.offsets[cell->rank], mismatch);
}

const struct pattern pattern_gatherv = {
    .name = "gatherv",
    .summary = "every rank's bytes, as many as its share, to the root",
    .algorithm = tp_gatherv_algorithm,
    .messages_per_repetition = 1,
    .granularity = 1,
    .least_bytes = 1,
    .keeps_input = true,
    .options = 1u << OPTION_COUNTS | 1u << OPTION_ROOT,
    .in_room = ROOM_PER_RANK,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = gatherv,
    .fill = fill_gatherv,
    .check = check_gatherv,
};

const struct pattern pattern_scatterv = {
    .name = "scatterv",
    .summary = "a block of the root's, as long as its share, to each rank",
    .algorithm = tp_scatterv_algorithm,
    .messages_per_repetition = 1,
    .granularity = 1,
    .least_bytes = 1,
    .keeps_input = true,
    .options = 1u << OPTION_COUNTS | 1u << OPTION_ROOT,
    .out_room = ROOM_PER_RANK,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = scatterv,
    .fill = fill_scatterv,
    .check = check_scatterv,
};

const struct pattern pattern_allgatherv = {
    .name = "allgatherv",
    .summary = "every rank's bytes, as many as its share, to every rank",
    .algorithm = tp_allgatherv_algorithm,
    .messages_per_repetition = 1,
    .granularity = 1,
    .least_bytes = 1,
    .keeps_input = true,
    .options = 1u << OPTION_COUNTS,
    .in_room = ROOM_PER_RANK,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = allgatherv,
    .fill = fill_allgatherv,
    .check = check_blocks,
};

const struct pattern pattern_alltoallv = {
    .name = "alltoallv",
    .summary = "a block of each rank, as long as the receiver's share, to each other rank",
    .algorithm = tp_alltoallv_algorithm,
    .messages_per_repetition = 1,
    .granularity = 1,
    .least_bytes = 1,
    .keeps_input = true,
    .options = 1u << OPTION_COUNTS,
    .out_room = ROOM_PER_RANK,
    .in_room = ROOM_PER_RANK,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = alltoallv,
    .fill = fill_alltoallv,
    .check = check_alltoallv,
};

const struct pattern pattern_reduce_scatterv = {
    .name = "reduce_scatterv",
    .summary = "blocks of all ranks combined, its share of the result on each rank",
    .algorithm = tp_reduce_scatterv_algorithm,
    .messages_per_repetition = 1,
    .granularity = 8,
    .least_bytes = 8,
    .keeps_input = true,
    .options = OPERATOR_AND_TYPE | 1u << OPTION_COUNTS,
    .out_room = ROOM_PER_RANK,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = reduce_scatterv,
    .fill = fill_reduce_scatterv,
    .check = check_reduce_scatterv,
};
