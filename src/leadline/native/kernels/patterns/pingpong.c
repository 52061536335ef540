/** Ping-pong: a message there and back between ranks 0 and 1; the time is half the round trip. */
#include "pattern.h"

enum { TAG = 1 };

static void pingpong(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    if (cell->rank == 0) {
        for (long i = first; i < last; i++) {
            tp_send(ring_at(&cell->out, i), bytes, 1, TAG);
            tp_recv(ring_at(&cell->in, i), bytes, 1, TAG);
        }
    } else {
        for (long i = first; i < last; i++) {
            tp_recv(ring_at(&cell->in, i), bytes, 0, TAG);
            tp_send(ring_at(&cell->out, i), bytes, 0, TAG);
        }
    }
}

/* Echoing, rank 1 sends back what rank 0 sent; else each rank's messages are its own. */
static int sender_to(const struct cell *cell, int rank)
{
    return cell->in.base == cell->out.base ? 0 : 1 - rank;
}

static size_t offset_of(const struct ring *ring, long repetition)
{
    return (size_t)(ring_at(ring, repetition) - ring->base);
}

static void fill(const struct cell *cell, long repetition)
{
    char *in = ring_at(&cell->in, repetition), *out = ring_at(&cell->out, repetition);
    const size_t offset = offset_of(&cell->out, repetition);
    payload_clear(in, cell->size_bytes, sender_to(cell, cell->rank), offset);
    if (sender_to(cell, 1 - cell->rank) == cell->rank)
        payload_fill(out, cell->size_bytes, cell->rank, offset);
}

static bool check(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return payload_check(ring_at(&cell->in, repetition), cell->size_bytes,
                         sender_to(cell, cell->rank), offset_of(&cell->out, repetition), mismatch);
}

/* Clears rank 0's buffer while the message is away: an echo that never came back would otherwise
   look right, because the buffer still holds what was sent. */
static bool validate(const struct pattern *self, const struct cell *cell, struct mismatch *mismatch)
{
    bool right = true;
    (void)self;
    for (long i = 0; i < 2; i++) {
        char *in = ring_at(&cell->in, i), *out = ring_at(&cell->out, i);
        fill(cell, i);
        if (cell->rank == 1) {
            tp_recv(in, cell->size_bytes, 0, TAG);
            right &= check(cell, i, mismatch);
            tp_send(out, cell->size_bytes, 0, TAG);
        } else {
            tp_send(out, cell->size_bytes, 1, TAG);
            payload_clear(in, cell->size_bytes, sender_to(cell, 0), offset_of(&cell->out, i));
            tp_recv(in, cell->size_bytes, 1, TAG);
            right &= check(cell, i, mismatch);
        }
    }
    return right;
}

const struct pattern pattern_pingpong = {
    .name = "pingpong",
    .summary = "half round trip between ranks 0 and 1",
    .algorithm = tp_send_algorithm,
    .participants = 2,
    .messages_per_repetition = 2,
    .granularity = 1,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = pingpong,
    .fill = fill,
    .check = check,
    .validate = validate,
};
