/** Exchange: ranks 0 and 1 send each other a message at the same time. */
#include "patterns/pattern.h"

enum { TAG = 3 };

static void exchange(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    const int peer = 1 - cell->rank;
    for (long i = first; i < last; i++)
        tp_sendrecv(ring_at(&cell->out, i), bytes, peer, ring_at(&cell->in, i), bytes, peer, TAG);
}

static void fill(const struct cell *cell, long repetition)
{
    const size_t bytes = cell->size_bytes, offset = contents_of(cell, repetition);
    payload_fill(ring_at(&cell->out, repetition), bytes, cell->rank, offset);
    payload_clear(ring_at(&cell->in, repetition), bytes, 1 - cell->rank, offset);
}

static bool check(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return payload_check(ring_at(&cell->in, repetition), cell->size_bytes, 1 - cell->rank,
                         contents_of(cell, repetition), mismatch);
}

const struct pattern pattern_exchange = {
    .name = "exchange",
    .summary = "a message each way between ranks 0 and 1 at the same time",
    .algorithm = tp_send_algorithm,
    .participants = 2,
    .messages_per_repetition = 1,
    .granularity = 1,
    .keeps_input = true,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = exchange,
    .fill = fill,
    .check = check,
};
