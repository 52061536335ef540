/**
 * Ping-pong: a message there and back between ranks 0 and 1, in all modes of sending and receiving;
 * the time is half the round trip.
 */
#include "patterns/echo.h"

enum { TAG = 1, TAG_UNEXPECTED = 1000, TAG_LAST = 999, SENDS = 0, RECEIVES = 1 };

/* By a copy of the cell, which no call can change: its members stay in registers. */
INLINED void pingpong(const struct cell *cell, long first, long last, struct way by)
{
    const struct cell here = *cell;
    if (here.rank == 0) {
        for (long i = first; i < last; i++) {
            by.send(&here, i);
            by.receive(&here, i);
        }
    } else {
        for (long i = first; i < last; i++) {
            by.receive(&here, i);
            by.send(&here, i);
        }
    }
}

INLINED void send_standard(const struct cell *cell, long i)
{
    tp_send(ring_at(&cell->out, i), cell->size_bytes, 1 - cell->rank, TAG);
}

INLINED void receive_standard(const struct cell *cell, long i)
{
    tp_recv(ring_at(&cell->in, i), cell->size_bytes, 1 - cell->rank, TAG);
}

INLINED void send_synchronous(const struct cell *cell, long i)
{
    tp_ssend(ring_at(&cell->out, i), cell->size_bytes, 1 - cell->rank, TAG);
}

INLINED void send_buffered(const struct cell *cell, long i)
{
    tp_bsend(ring_at(&cell->out, i), cell->size_bytes, 1 - cell->rank, TAG);
}

INLINED void send_nonblocking(const struct cell *cell, long i)
{
    tp_isend(ring_at(&cell->out, i), cell->size_bytes, 1 - cell->rank, TAG, SENDS);
    tp_wait(SENDS);
}

INLINED void receive_nonblocking(const struct cell *cell, long i)
{
    tp_irecv(ring_at(&cell->in, i), cell->size_bytes, 1 - cell->rank, TAG, RECEIVES);
    tp_wait(RECEIVES);
}

INLINED void send_persistent(const struct cell *cell, long i)
{
    (void)cell, (void)i; /* the first buffer of the ring, for good */
    tp_start(SENDS);
    tp_wait(SENDS);
}

INLINED void receive_persistent(const struct cell *cell, long i)
{
    (void)cell, (void)i;
    tp_start(RECEIVES);
    tp_wait(RECEIVES);
}

INLINED void receive_any(const struct cell *cell, long i)
{
    tp_recv_any(ring_at(&cell->in, i), cell->size_bytes, TAG);
}

static void run_standard(const struct cell *cell, long first, long last)
{
    pingpong(cell, first, last, (struct way){send_standard, receive_standard});
}

static void run_synchronous(const struct cell *cell, long first, long last)
{
    pingpong(cell, first, last, (struct way){send_synchronous, receive_standard});
}

static void run_nonblocking(const struct cell *cell, long first, long last)
{
    pingpong(cell, first, last, (struct way){send_nonblocking, receive_nonblocking});
}

static void run_buffered(const struct cell *cell, long first, long last)
{
    pingpong(cell, first, last, (struct way){send_buffered, receive_standard});
}

static void run_persistent(const struct cell *cell, long first, long last)
{
    pingpong(cell, first, last, (struct way){send_persistent, receive_persistent});
}

static void run_anysource(const struct cell *cell, long first, long last)
{
    pingpong(cell, first, last, (struct way){send_standard, receive_any});
}

static void clear(const struct cell *cell, long repetition)
{
    echo_clear(cell, repetition, 0, cell->size_bytes);
}

static void fill(const struct cell *cell, long repetition)
{
    echo_fill(cell, repetition, 0, cell->size_bytes);
}

static bool check(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return echo_check(cell, repetition, 0, cell->size_bytes, mismatch);
}

/* Rank 1 in the mode. Rank 0 clears its buffer while the message is away: an echo that never came
   back would otherwise look right, because the buffer still holds what was sent. */
static bool validate_rank_1(const struct pattern *self, const struct cell *cell, long i,
                            struct mismatch *mismatch)
{
    if (cell->rank == 1) {
        self->run(cell, i, i + 1);
    } else {
        send_standard(cell, i);
        clear(cell, i);
        receive_standard(cell, i);
    }
    return check(cell, i, mismatch);
}

/* Rank 0 in the mode. Rank 1 answers with bytes of its own, for the same reason; both have others
   than they sent before. */
static bool validate_rank_0(const struct pattern *self, const struct cell *cell, long i,
                            struct mismatch *mismatch)
{
    enum { QUESTION = 2, ANSWER };
    const size_t bytes = cell->size_bytes, offset = contents_of(cell, i);
    char *out = ring_at(&cell->out, i), *in = ring_at(&cell->in, i);
    if (cell->rank == 0) {
        payload_fill(out, bytes, QUESTION, offset);
        self->run(cell, i, i + 1);
        return payload_check(in, bytes, ANSWER, offset, mismatch);
    }
    payload_clear(in, bytes, QUESTION, offset);
    receive_standard(cell, i);
    const bool right = payload_check(in, bytes, QUESTION, offset, mismatch);
    payload_fill(out, bytes, ANSWER, offset);
    send_standard(cell, i);
    return right;
}

/* Both halves run whatever they find: the peer waits. */
static bool validate(const struct pattern *self, const struct cell *cell, long repetition,
                     struct mismatch *mismatch)
{
    const bool right = validate_rank_1(self, cell, repetition, mismatch);
    return validate_rank_0(self, cell, repetition, mismatch) && right;
}

static void attach(const struct cell *cell)
{
    tp_buffer_attach(cell->size_bytes);
}

static void detach(const struct cell *cell)
{
    (void)cell;
    tp_buffer_detach();
}

static void prepare(const struct cell *cell)
{
    const int peer = 1 - cell->rank;
    tp_send_init(ring_at(&cell->out, 0), cell->size_bytes, peer, TAG, SENDS);
    tp_recv_init(ring_at(&cell->in, 0), cell->size_bytes, peer, TAG, RECEIVES);
}

static void release(const struct cell *cell)
{
    (void)cell;
    tp_persistent_free(SENDS);
    tp_persistent_free(RECEIVES);
}

/* Messages that wait unreceived while repetitions run. */
static int depth_of(const struct cell *cell)
{
    return (int)cell->numbers[OPTION_DEPTH];
}

/* Each rank's queue: the last message is received, and so has passed the others, which are kept. */
static void queue_up(const struct cell *cell)
{
    char nothing = 0;
    for (int sender = 0; sender < 2; sender++) {
        for (int i = 0; i < depth_of(cell) && cell->rank == sender; i++)
            tp_send(&nothing, 0, 1 - sender, TAG_UNEXPECTED + i);
        if (cell->rank == sender)
            tp_send(&nothing, 0, 1 - sender, TAG_LAST);
        else
            tp_recv(&nothing, 0, sender, TAG_LAST);
    }
}

static void drain(const struct cell *cell)
{
    char nothing;
    for (int i = 0; i < depth_of(cell); i++)
        tp_recv(&nothing, 0, 1 - cell->rank, TAG_UNEXPECTED + i);
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
    .run = run_standard,
    .fill = fill,
    .check = check,
    .validate = validate,
};

const struct pattern pattern_pingpong_sync = {
    .name = "pingpong_sync",
    .summary = "half round trip of synchronous sends",
    .algorithm = tp_ssend_algorithm,
    .participants = 2,
    .messages_per_repetition = 2,
    .granularity = 1,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = run_synchronous,
    .fill = fill,
    .check = check,
    .validate = validate,
};

const struct pattern pattern_pingpong_nonblocking = {
    .name = "pingpong_nonblocking",
    .summary = "half round trip of non-blocking sends and receives, each waited for",
    .algorithm = tp_isend_algorithm,
    .participants = 2,
    .messages_per_repetition = 2,
    .granularity = 1,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = run_nonblocking,
    .fill = fill,
    .check = check,
    .validate = validate,
};

const struct pattern pattern_pingpong_buffered = {
    .name = "pingpong_buffered",
    .summary = "half round trip of buffered sends",
    .algorithm = tp_bsend_algorithm,
    .participants = 2,
    .messages_per_repetition = 2,
    .granularity = 1,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .begin = attach,
    .end = detach,
    .run = run_buffered,
    .fill = fill,
    .check = check,
    .validate = validate,
};

const struct pattern pattern_pingpong_persistent = {
    .name = "pingpong_persistent",
    .summary = "half round trip of persistent sends and receives, started and waited for",
    .algorithm = tp_persistent_algorithm,
    .participants = 2,
    .messages_per_repetition = 2,
    .granularity = 1,
    .one_buffer = true,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .begin = prepare,
    .end = release,
    .run = run_persistent,
    .fill = fill,
    .check = check,
    .validate = validate,
};

const struct pattern pattern_pingpong_anysource = {
    .name = "pingpong_anysource",
    .summary = "half round trip, received from any source",
    .algorithm = tp_matching_algorithm,
    .participants = 2,
    .messages_per_repetition = 2,
    .granularity = 1,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = run_anysource,
    .fill = fill,
    .check = check,
    .validate = validate,
};

const struct pattern pattern_unexpected = {
    .name = "unexpected",
    .summary = "half round trip past messages that wait unreceived at both ends",
    .algorithm = tp_matching_algorithm,
    .participants = 2,
    .messages_per_repetition = 2,
    .granularity = 1,
    .options = 1u << OPTION_DEPTH,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .begin = queue_up,
    .end = drain,
    .run = run_standard,
    .fill = fill,
    .check = check,
    .validate = validate,
};
