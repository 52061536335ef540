/**
 * Ping-pong of messages whose bytes don't lie side by side, between ranks 0 and 1: sent by a
 * derived datatype, or packed by hand into a contiguous copy and unpacked where it arrives. The
 * time is half the round trip, packing and unpacking included.
 */
#include "patterns/echo.h"

#include <string.h>

enum { TAG = 5 };

INLINED void pingpong(const struct cell *cell, long first, long last, struct way by)
{
    if (cell->rank == 0) {
        for (long i = first; i < last; i++) {
            by.send(cell, i);
            by.receive(cell, i);
        }
    } else {
        for (long i = first; i < last; i++) {
            by.receive(cell, i);
            by.send(cell, i);
        }
    }
}

INLINED void send_datatype(const struct cell *cell, long repetition)
{
    tp_send_datatype(ring_at(&cell->out, repetition), cell->datatype, 1 - cell->rank, TAG);
}

INLINED void receive_datatype(const struct cell *cell, long repetition)
{
    tp_recv_datatype(ring_at(&cell->in, repetition), cell->datatype, 1 - cell->rank, TAG);
}

INLINED void send_strided(const struct cell *cell, long repetition)
{
    const double *restrict elements = (const double *)ring_at(&cell->out, repetition);
    double *restrict packed = (double *)cell->packed;
    for (size_t i = 0; i < cell->size_bytes / sizeof *packed; i++)
        packed[i] = elements[TP_STRIDE * i];
    tp_send(packed, cell->size_bytes, 1 - cell->rank, TAG);
}

INLINED void receive_strided(const struct cell *cell, long repetition)
{
    const double *restrict packed = (const double *)cell->packed;
    double *restrict elements = (double *)ring_at(&cell->in, repetition);
    tp_recv(cell->packed, cell->size_bytes, 1 - cell->rank, TAG);
    for (size_t i = 0; i < cell->size_bytes / sizeof *packed; i++)
        elements[TP_STRIDE * i] = packed[i];
}

INLINED void send_struct(const struct cell *cell, long repetition)
{
    const struct tp_particle *particle = (void *)ring_at(&cell->out, repetition);
    for (size_t i = 0; i < cell->size_bytes; i += TP_STRUCT_PAYLOAD, particle++) {
        memcpy(cell->packed + i, &particle->kind, 4);
        memcpy(cell->packed + i + 4, &particle->charge, 8);
        memcpy(cell->packed + i + 12, particle->symbol, 4);
    }
    tp_send(cell->packed, cell->size_bytes, 1 - cell->rank, TAG);
}

INLINED void receive_struct(const struct cell *cell, long repetition)
{
    struct tp_particle *particle = (void *)ring_at(&cell->in, repetition);
    tp_recv(cell->packed, cell->size_bytes, 1 - cell->rank, TAG);
    for (size_t i = 0; i < cell->size_bytes; i += TP_STRUCT_PAYLOAD, particle++) {
        memcpy(&particle->kind, cell->packed + i, 4);
        memcpy(&particle->charge, cell->packed + i + 4, 8);
        memcpy(particle->symbol, cell->packed + i + 12, 4);
    }
}

static const struct way by_datatype = {send_datatype, receive_datatype};
static const struct way strided_packed = {send_strided, receive_strided};
static const struct way struct_packed = {send_struct, receive_struct};

static void run_datatype(const struct cell *cell, long first, long last)
{
    pingpong(cell, first, last, by_datatype);
}

static void run_strided_packed(const struct cell *cell, long first, long last)
{
    pingpong(cell, first, last, strided_packed);
}

static void run_struct_packed(const struct cell *cell, long first, long last)
{
    pingpong(cell, first, last, struct_packed);
}

static void clear(const struct cell *cell, long repetition)
{
    echo_clear(cell, repetition, 0, cell->span_bytes);
}

static void fill(const struct cell *cell, long repetition)
{
    clear(cell, repetition);
    if (sends_its_own(cell))
        payload_fill_form(ring_at(&cell->out, repetition), cell->span_bytes, cell->form, cell->rank,
                          contents_of(cell, repetition));
}

static bool check(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return payload_check_form(ring_at(&cell->in, repetition), cell->span_bytes, cell->form,
                              sender_to(cell, cell->rank), contents_of(cell, repetition), mismatch);
}

/* Clears rank 0's buffer and its packed copy while the message is away: an echo that never came
   back would otherwise look right, because they still hold what was sent. */
static bool validate_by(struct way by, const struct cell *cell, long repetition,
                        struct mismatch *mismatch)
{
    if (cell->rank == 1) {
        by.receive(cell, repetition);
        const bool right = check(cell, repetition, mismatch);
        by.send(cell, repetition);
        return right;
    }
    by.send(cell, repetition);
    clear(cell, repetition);
    memset(cell->packed, 0, cell->size_bytes);
    by.receive(cell, repetition);
    return check(cell, repetition, mismatch);
}

static bool validate_datatype(const struct pattern *self, const struct cell *cell, long repetition,
                              struct mismatch *mismatch)
{
    (void)self;
    return validate_by(by_datatype, cell, repetition, mismatch);
}

static bool validate_packed(const struct pattern *self, const struct cell *cell, long repetition,
                            struct mismatch *mismatch)
{
    const struct way by = self->form == TP_STRIDED ? strided_packed : struct_packed;
    return validate_by(by, cell, repetition, mismatch);
}

const struct pattern pattern_pingpong_strided = {
    .name = "pingpong_strided",
    .summary = "half round trip of every second double, by a vector datatype",
    .algorithm = tp_datatype_algorithm,
    .participants = 2,
    .messages_per_repetition = 2,
    .granularity = TP_STRIDED_PAYLOAD,
    .least_bytes = TP_STRIDED_PAYLOAD,
    .form = TP_STRIDED,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = run_datatype,
    .fill = fill,
    .check = check,
    .validate = validate_datatype,
};

const struct pattern pattern_pingpong_strided_packed = {
    .name = "pingpong_strided_packed",
    .summary = "half round trip of every second double, packed and unpacked by hand",
    .algorithm = tp_send_algorithm,
    .participants = 2,
    .messages_per_repetition = 2,
    .granularity = TP_STRIDED_PAYLOAD,
    .least_bytes = TP_STRIDED_PAYLOAD,
    .form = TP_STRIDED,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = run_strided_packed,
    .fill = fill,
    .check = check,
    .validate = validate_packed,
};

const struct pattern pattern_pingpong_struct = {
    .name = "pingpong_struct",
    .summary = "half round trip of structs with padding, by a struct datatype",
    .algorithm = tp_datatype_algorithm,
    .participants = 2,
    .messages_per_repetition = 2,
    .granularity = TP_STRUCT_PAYLOAD,
    .least_bytes = TP_STRUCT_PAYLOAD,
    .form = TP_STRUCT,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = run_datatype,
    .fill = fill,
    .check = check,
    .validate = validate_datatype,
};

const struct pattern pattern_pingpong_struct_packed = {
    .name = "pingpong_struct_packed",
    .summary = "half round trip of structs with padding, packed and unpacked by hand",
    .algorithm = tp_send_algorithm,
    .participants = 2,
    .messages_per_repetition = 2,
    .granularity = TP_STRUCT_PAYLOAD,
    .least_bytes = TP_STRUCT_PAYLOAD,
    .form = TP_STRUCT,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = run_struct_packed,
    .fill = fill,
    .check = check,
    .validate = validate_packed,
};
