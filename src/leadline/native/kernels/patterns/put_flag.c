/**
 * Ping-pong by puts with flags: rank 0 puts a message and sets a flag in rank 1's memory, rank 1
 * waits for the flag and does the same; the time is half the round trip.
 */
#include "patterns/echo.h"

enum { TAG = 32739 /* of the tool's own messages */, LATE_NS = 20000 };

static void put_flag(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    uint64_t *flag = word_at(cell, 0);
    if (cell->rank == 0) {
        for (long i = first; i < last; i++) {
            tp_put_flag(ring_at(&cell->in, i), ring_at(&cell->out, i), bytes, flag, (uint64_t)i + 1,
                        1);
            tp_wait_until(flag, (uint64_t)i + 1);
        }
    } else {
        for (long i = first; i < last; i++) {
            tp_wait_until(flag, (uint64_t)i + 1);
            tp_put_flag(ring_at(&cell->in, i), ring_at(&cell->out, i), bytes, flag, (uint64_t)i + 1,
                        0);
        }
    }
}

static void fill(const struct cell *cell, long repetition)
{
    echo_fill(cell, repetition, 0, cell->size_bytes);
}

static bool check(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return echo_check(cell, repetition, 0, cell->size_bytes, mismatch);
}

/* Rank 0 puts its message, later than rank 1 looks for it, and clears where the answer will come,
   then a bare flag says so; rank 1 answers only then. An answer that never came would otherwise
   look right where both are one. */
static bool validate(const struct pattern *self, const struct cell *cell, long repetition,
                     struct mismatch *mismatch)
{
    char *in = ring_at(&cell->in, repetition), *out = ring_at(&cell->out, repetition);
    const size_t bytes = cell->size_bytes;
    uint64_t *flag = word_at(cell, 0), *cleared = word_at(cell, 1);
    (void)self;
    char coming = 0;
    if (cell->rank == 0) {
        tp_recv(&coming, sizeof coming, 1, TAG);
        clock_spin_ns(LATE_NS);
        tp_put_flag(in, out, bytes, flag, 1, 1);
        tp_quiet();
        echo_clear(cell, repetition, 0, bytes);
        tp_symmetric_sync();
        tp_put_flag(in, out, 0, cleared, 1, 1);
        tp_wait_until(flag, 1);
        return check(cell, repetition, mismatch);
    }
    tp_send(&coming, sizeof coming, 0, TAG);
    tp_wait_until(flag, 1);
    const bool right = check(cell, repetition, mismatch);
    tp_wait_until(cleared, 1);
    tp_put_flag(in, out, bytes, flag, 1, 0);
    tp_quiet();
    return right;
}

const struct pattern pattern_put_flag = {
    .name = "put_flag",
    .summary = "half round trip by puts with flags between ranks 0 and 1",
    .algorithm = tp_put_flag_algorithm,
    .participants = 2,
    .messages_per_repetition = 2,
    .granularity = 1,
    .symmetric = true,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = put_flag,
    .fill = fill,
    .check = check,
    .validate = validate,
};
