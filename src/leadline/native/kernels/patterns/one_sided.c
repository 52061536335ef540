/**
 * Puts and gets by rank 0 into and out of the memory of rank 1, which takes no part in them: one at
 * a time for their latency, a window under way together for bandwidth and rate.
 */
#include "patterns/pattern.h"

enum { TARGET = 1, WINDOW = 64 };

static void put(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    if (cell->rank != 0)
        return;
    for (long i = first; i < last; i++)
        tp_put(ring_at(&cell->in, i), ring_at(&cell->out, i), bytes, TARGET);
}

static void get(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    if (cell->rank != 0)
        return;
    for (long i = first; i < last; i++)
        tp_get(ring_at(&cell->in, i), ring_at(&cell->out, i), bytes, TARGET);
}

static void put_window(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    if (cell->rank != 0)
        return;
    for (long i = first * WINDOW; i < last * WINDOW; i += WINDOW) {
        for (long j = i; j < i + WINDOW; j++)
            tp_put_start(ring_at(&cell->in, j), ring_at(&cell->out, j), bytes, TARGET);
        tp_quiet();
    }
}

static void get_window(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    if (cell->rank != 0)
        return;
    for (long i = first * WINDOW; i < last * WINDOW; i += WINDOW) {
        for (long j = i; j < i + WINDOW; j++)
            tp_get_start(ring_at(&cell->in, j), ring_at(&cell->out, j), bytes, TARGET);
        tp_quiet();
    }
}

/* Bytes go from `out` of one rank to `in` of the other, the receiver's the only ones cleared:
   echoing, both are the same memory. */
static void fill_one(const struct cell *cell, long message, int sender)
{
    const size_t offset = contents_of(cell, message);
    if (cell->rank == sender)
        payload_fill(ring_at(&cell->out, message), cell->size_bytes, sender, offset);
    else
        payload_clear(ring_at(&cell->in, message), cell->size_bytes, sender, offset);
}

static bool check_one(const struct cell *cell, long message, int sender, struct mismatch *mismatch)
{
    return cell->rank == sender || payload_check(ring_at(&cell->in, message), cell->size_bytes,
                                                 sender, contents_of(cell, message), mismatch);
}

static void fill_put(const struct cell *cell, long repetition)
{
    fill_one(cell, repetition, 0);
}

static bool check_put(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return check_one(cell, repetition, 0, mismatch);
}

static void fill_get(const struct cell *cell, long repetition)
{
    fill_one(cell, repetition, TARGET);
}

static bool check_get(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return check_one(cell, repetition, TARGET, mismatch);
}

static void fill_window(const struct cell *cell, long repetition, int sender)
{
    for (long j = repetition * WINDOW; j < (repetition + 1) * WINDOW; j++)
        fill_one(cell, j, sender);
}

static bool check_window(const struct cell *cell, long repetition, int sender,
                         struct mismatch *mismatch)
{
    for (long j = repetition * WINDOW; j < (repetition + 1) * WINDOW; j++)
        if (!check_one(cell, j, sender, mismatch))
            return false;
    return true;
}

static void fill_put_window(const struct cell *cell, long repetition)
{
    fill_window(cell, repetition, 0);
}

static bool check_put_window(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return check_window(cell, repetition, 0, mismatch);
}

static void fill_get_window(const struct cell *cell, long repetition)
{
    fill_window(cell, repetition, TARGET);
}

static bool check_get_window(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return check_window(cell, repetition, TARGET, mismatch);
}

const struct pattern pattern_put = {
    .name = "put",
    .summary = "a put into rank 1's memory, until it is there",
    .algorithm = tp_put_algorithm,
    .participants = 2,
    .messages_per_repetition = 1,
    .granularity = 1,
    .least_bytes = 1,
    .symmetric = true,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = put,
    .fill = fill_put,
    .check = check_put,
};

const struct pattern pattern_get = {
    .name = "get",
    .summary = "a get out of rank 1's memory",
    .algorithm = tp_get_algorithm,
    .participants = 2,
    .messages_per_repetition = 1,
    .granularity = 1,
    .least_bytes = 1,
    .symmetric = true,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = get,
    .fill = fill_get,
    .check = check_get,
};

const struct pattern pattern_put_window = {
    .name = "put_window",
    .summary = "a put of 64 under way together, then waited for",
    .algorithm = tp_put_algorithm,
    .participants = 2,
    .messages_per_repetition = WINDOW,
    .messages_in_flight = WINDOW,
    .windows = WINDOWS_ONE,
    .granularity = 1,
    .least_bytes = 1,
    .symmetric = true,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = put_window,
    .fill = fill_put_window,
    .check = check_put_window,
};

const struct pattern pattern_get_window = {
    .name = "get_window",
    .summary = "a get of 64 under way together, then waited for",
    .algorithm = tp_get_algorithm,
    .participants = 2,
    .messages_per_repetition = WINDOW,
    .messages_in_flight = WINDOW,
    .windows = WINDOWS_ONE,
    .granularity = 1,
    .least_bytes = 1,
    .symmetric = true,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = get_window,
    .fill = fill_get_window,
    .check = check_get_window,
};
