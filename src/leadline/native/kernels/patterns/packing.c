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
    const size_t offset = contents_of(cell, repetition);
    payload_fill(out, cell->size_bytes, cell->rank, offset);
    payload_clear(in, cell->size_bytes, 1 - cell->rank, offset);
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

static bool check_from_peer(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return payload_check(ring_at(&cell->in, repetition), cell->size_bytes, 1 - cell->rank,
                         contents_of(cell, repetition), mismatch);
}

static bool check_unpacked(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return cell->rank != 0 || check_from_peer(cell, repetition, mismatch);
}

static bool unpacked_right(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    tp_unpack(ring_at(&cell->in, repetition), cell->size_bytes);
    return check_from_peer(cell, repetition, mismatch);
}

/* Rank 1 checks what rank 0 packed. */
static bool validate_pack(const struct pattern *self, const struct cell *cell, long repetition,
                          struct mismatch *mismatch)
{
    self->run(cell, repetition, repetition + 1);
    if (cell->rank == 0) {
        tp_send_packed(1, TAG);
        return true;
    }
    tp_recv_packed(cell->size_bytes, 0, TAG);
    return unpacked_right(cell, repetition, mismatch);
}

static bool validate_pingpong(const struct pattern *self, const struct cell *cell, long repetition,
                              struct mismatch *mismatch)
{
    self->run(cell, repetition, repetition + 1);
    return unpacked_right(cell, repetition, mismatch);
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
