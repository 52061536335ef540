/** Reductions: elements of all ranks combined, the result on every rank. */
#include "pattern.h"

static void allreduce(const struct cell *cell, long first, long last)
{
    const size_t count = cell->size_bytes / 8;
    const enum tp_type type = cell->type;
    const enum tp_op op = cell->op;
    for (long i = first; i < last; i++)
        tp_allreduce(ring_at(&cell->out, i), ring_at(&cell->in, i), count, type, op);
}

static size_t offset_of(const struct cell *cell, long repetition)
{
    return (size_t)(ring_at(&cell->out, repetition) - cell->out.base);
}

static void fill(const struct cell *cell, long repetition)
{
    const size_t offset = offset_of(cell, repetition);
    payload_fill_elements(ring_at(&cell->out, repetition), cell->size_bytes / 8, cell->type,
                          cell->rank, offset);
    payload_clear(ring_at(&cell->in, repetition), cell->size_bytes, cell->rank, offset);
}

static bool check(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return payload_check_elements(ring_at(&cell->in, repetition), cell->size_bytes / 8, cell->type,
                                  cell->op, cell->ranks, offset_of(cell, repetition), mismatch);
}

const struct pattern pattern_allreduce = {
    .name = "allreduce",
    .summary = "elements of all ranks combined, the result on every rank",
    .algorithm = tp_allreduce_algorithm,
    .messages_per_repetition = 1,
    .granularity = 8,
    .least_bytes = 8,
    .keeps_input = true,
    .reduces = true,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = allreduce,
    .fill = fill,
    .check = check,
};
