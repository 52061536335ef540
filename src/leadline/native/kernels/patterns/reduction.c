/** Reductions: elements of all ranks combined. Results differ in who is left with what. */
#include "patterns/pattern.h"

static void allreduce(const struct cell *cell, long first, long last)
{
    const size_t count = cell->size_bytes / 8;
    const enum tp_type type = type_of(cell);
    const enum tp_op op = op_of(cell);
    for (long i = first; i < last; i++)
        tp_allreduce(ring_at(&cell->out, i), ring_at(&cell->in, i), count, type, op);
}

static void iallreduce(const struct cell *cell, long first, long last)
{
    const size_t count = cell->size_bytes / 8;
    const enum tp_type type = type_of(cell);
    const enum tp_op op = op_of(cell);
    const struct work work = cell->work;
    if (computed(cell, first, last))
        return;
    for (long i = first; i < last; i++) {
        tp_iallreduce(ring_at(&cell->out, i), ring_at(&cell->in, i), count, type, op, OVERLAP_SLOT);
        overlap(work);
        tp_wait(OVERLAP_SLOT);
    }
}

static void reduce(const struct cell *cell, long first, long last)
{
    const size_t count = cell->size_bytes / 8;
    const enum tp_type type = type_of(cell);
    const enum tp_op op = op_of(cell);
    for (long i = first; i < last; i++)
        tp_reduce(ring_at(&cell->out, i), ring_at(&cell->in, i), count, type, op, root_at(cell, i));
}

static void reduce_scatter(const struct cell *cell, long first, long last)
{
    const size_t count = cell->size_bytes / 8;
    const enum tp_type type = type_of(cell);
    const enum tp_op op = op_of(cell);
    for (long i = first; i < last; i++)
        tp_reduce_scatter(ring_at(&cell->out, i), ring_at(&cell->in, i), count, type, op);
}

static void scan(const struct cell *cell, long first, long last)
{
    const size_t count = cell->size_bytes / 8;
    const enum tp_type type = type_of(cell);
    const enum tp_op op = op_of(cell);
    for (long i = first; i < last; i++)
        tp_scan(ring_at(&cell->out, i), ring_at(&cell->in, i), count, type, op);
}

static void exscan(const struct cell *cell, long first, long last)
{
    const size_t count = cell->size_bytes / 8;
    const enum tp_type type = type_of(cell);
    const enum tp_op op = op_of(cell);
    for (long i = first; i < last; i++)
        tp_exscan(ring_at(&cell->out, i), ring_at(&cell->in, i), count, type, op);
}

static void fill_elements(const struct cell *cell, long repetition, int blocks)
{
    const size_t offset = elements_of(repetition);
    payload_fill_elements(ring_at(&cell->out, repetition), (size_t)blocks * cell->size_bytes / 8,
                          reduction_of(cell), cell->rank, offset);
    payload_clear(ring_at(&cell->in, repetition), cell->size_bytes, cell->rank, offset);
}

static void fill(const struct cell *cell, long repetition)
{
    fill_elements(cell, repetition, 1);
}

static void fill_blocks(const struct cell *cell, long repetition)
{
    fill_elements(cell, repetition, cell->ranks);
}

/* The combination of ranks 0 .. ranks - 1, of elements `skipped` bytes into what each sent. */
static bool check_elements(const struct cell *cell, long repetition, int ranks, size_t skipped,
                           struct mismatch *mismatch)
{
    return payload_check_elements(ring_at(&cell->in, repetition), cell->size_bytes / 8,
                                  reduction_of(cell), ranks, elements_of(repetition) + skipped,
                                  mismatch);
}

static bool check_all(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return check_elements(cell, repetition, cell->ranks, 0, mismatch);
}

static bool check_root(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return cell->rank != root_at(cell, repetition) || check_all(cell, repetition, mismatch);
}

static bool check_own_block(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return check_elements(cell, repetition, cell->ranks, (size_t)cell->rank * cell->size_bytes,
                          mismatch);
}

static bool check_prefix(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return check_elements(cell, repetition, cell->rank + 1, 0, mismatch);
}

static bool check_before(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return cell->rank == 0 || check_elements(cell, repetition, cell->rank, 0, mismatch);
}

const struct pattern pattern_allreduce = {
    .name = "allreduce",
    .summary = "elements of all ranks combined, the result on every rank",
    .algorithm = tp_allreduce_algorithm,
    .messages_per_repetition = 1,
    .granularity = 8,
    .least_bytes = 8,
    .keeps_input = true,
    .options = OPERATOR_AND_TYPE,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = allreduce,
    .fill = fill,
    .check = check_all,
};

const struct pattern pattern_iallreduce = {
    .name = "iallreduce",
    .summary = "elements of all ranks combined, the result on every rank, started and waited for",
    .algorithm = tp_iallreduce_algorithm,
    .messages_per_repetition = 1,
    .granularity = 8,
    .least_bytes = 8,
    .keeps_input = true,
    .options = OPERATOR_AND_TYPE | OVERLAP_AND_WORK,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .computation = computation_beside,
    .run = iallreduce,
    .fill = fill,
    .check = check_all,
};

const struct pattern pattern_reduce = {
    .name = "reduce",
    .summary = "elements of all ranks combined, the result on the root",
    .algorithm = tp_reduce_algorithm,
    .messages_per_repetition = 1,
    .granularity = 8,
    .least_bytes = 8,
    .keeps_input = true,
    .options = OPERATOR_AND_TYPE | 1u << OPTION_ROOT,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = reduce,
    .fill = fill,
    .check = check_root,
};

const struct pattern pattern_reduce_scatter = {
    .name = "reduce_scatter",
    .summary = "blocks of all ranks combined, a block of the result on each rank",
    .algorithm = tp_reduce_scatter_algorithm,
    .messages_per_repetition = 1,
    .granularity = 8,
    .least_bytes = 8,
    .keeps_input = true,
    .options = OPERATOR_AND_TYPE,
    .out_room = ROOM_PER_RANK,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = reduce_scatter,
    .fill = fill_blocks,
    .check = check_own_block,
};

const struct pattern pattern_scan = {
    .name = "scan",
    .summary = "on each rank the elements of those up to it combined",
    .algorithm = tp_scan_algorithm,
    .messages_per_repetition = 1,
    .granularity = 8,
    .least_bytes = 8,
    .keeps_input = true,
    .options = OPERATOR_AND_TYPE,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = scan,
    .fill = fill,
    .check = check_prefix,
};

const struct pattern pattern_exscan = {
    .name = "exscan",
    .summary = "on each rank the elements of those before it combined",
    .algorithm = tp_exscan_algorithm,
    .messages_per_repetition = 1,
    .granularity = 8,
    .least_bytes = 8,
    .keeps_input = true,
    .options = OPERATOR_AND_TYPE,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = exscan,
    .fill = fill,
    .check = check_before,
};
