/**
 * What packing costs a message: packing alone, unpacking alone, and a ping-pong of messages that
 * were packed before and aren't unpacked.
 */
#include "patterns/pattern.h"

enum { TAG = 4 };

static void pack(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    if (cell->rank != 0)
        return;
    for (long i = first; i < last; i++)
        tp_pack(ring_at(&cell->out, i), bytes);
}

/* The same message again and again, each time from its beginning. */
static void unpack(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    if (cell->rank != 0)
        return;
    for (long i = first; i < last; i++)
        tp_unpack(ring_at(&cell->in, i), bytes);
}

static void pingpong_packed(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    if (cell->rank == 0) {
        for (long i = first; i < last; i++) {
            tp_send_packed(1, TAG);
            tp_recv_packed(bytes, 1, TAG);
        }
    } else {
        for (long i = first; i < last; i++) {
            tp_recv_packed(bytes, 0, TAG);
            tp_send_packed(0, TAG);
        }
    }
}

static void fill(const struct cell *cell, long repetition)
{
    char *out = ring_at(&cell->out, repetition), *in = ring_at(&cell->in, repetition);
    payload_fill(out, cell->size_bytes, cell->rank, 0);
    payload_clear(in, cell->size_bytes, 1 - cell->rank, 0);
}

static void fill_and_pack(const struct cell *cell, long repetition)
{
    fill(cell, repetition);
    tp_pack(ring_at(&cell->out, repetition), cell->size_bytes);
}

/* Only a message that has travelled can be unpacked: rank 0 gets one that rank 1 packed. */
static void fill_and_receive(const struct cell *cell, long repetition)
{
    fill_and_pack(cell, repetition);
    if (cell->rank == 0)
        tp_recv_packed(cell->size_bytes, 1, TAG);
    else
        tp_send_packed(0, TAG);
}

static bool check_unpacked(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    const char *in = ring_at(&cell->in, repetition);
    return cell->rank != 0 || payload_check(in, cell->size_bytes, 1, 0, mismatch);
}

static bool unpacked_right(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    char *in = ring_at(&cell->in, repetition);
    tp_unpack(in, cell->size_bytes);
    return payload_check(in, cell->size_bytes, 1 - cell->rank, 0, mismatch);
}

/* Rank 1 checks what rank 0 packed. */
static bool validate_pack(const struct pattern *self, const struct cell *cell,
                          struct mismatch *mismatch)
{
    bool right = true;
    for (long i = 0; i < 2; i++) {
        fill(cell, i);
        self->run(cell, i, i + 1);
        if (cell->rank == 0) {
            tp_send_packed(1, TAG);
            continue;
        }
        tp_recv_packed(cell->size_bytes, 0, TAG);
        right &= unpacked_right(cell, i, mismatch);
    }
    return right;
}

static bool validate_pingpong(const struct pattern *self, const struct cell *cell,
                              struct mismatch *mismatch)
{
    bool right = true;
    for (long i = 0; i < 2; i++) {
        fill_and_pack(cell, i);
        self->run(cell, i, i + 1);
        right &= unpacked_right(cell, i, mismatch);
    }
    return right;
}

const struct pattern pattern_pack = {
    .name = "pack",
    .summary = "packing a message, without sending it",
    .algorithm = tp_pack_algorithm,
    .participants = 2,
    .messages_per_repetition = 1,
    .granularity = 1,
    .keeps_input = true,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = pack,
    .fill = fill,
    .validate = validate_pack,
};

const struct pattern pattern_unpack = {
    .name = "unpack",
    .summary = "unpacking a message that was received before",
    .algorithm = tp_pack_algorithm,
    .participants = 2,
    .messages_per_repetition = 1,
    .granularity = 1,
    .keeps_input = true,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = unpack,
    .fill = fill_and_receive,
    .check = check_unpacked,
};

const struct pattern pattern_pingpong_packed = {
    .name = "pingpong_packed",
    .summary = "half round trip of a message packed before and not unpacked",
    .algorithm = tp_pack_algorithm,
    .participants = 2,
    .messages_per_repetition = 2,
    .granularity = 1,
    .keeps_input = true,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = pingpong_packed,
    .fill = fill_and_pack,
    .validate = validate_pingpong,
};
