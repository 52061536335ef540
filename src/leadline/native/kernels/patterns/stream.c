/**
 * Streams: windows of non-blocking messages, each window answered by an empty message when all of
 * it has arrived. A repetition is a window; the time is that of a message of a pair. Each message
 * of a window has a buffer of its own. Of all ranks the lower half sends to the upper.
 */
#include "patterns/pattern.h"

enum { TAG = 12, TAG_ANSWER, WINDOW = 64 };

INLINED void send_windows(const struct cell *cell, long first, long last, int receiver)
{
    const size_t bytes = cell->size_bytes;
    char nothing;
    for (long i = first; i < last; i++) {
        for (int k = 0; k < WINDOW; k++)
            tp_isend(ring_at(&cell->out, i * WINDOW + k), bytes, receiver, TAG, k);
        tp_waitall(0, WINDOW);
        tp_recv(&nothing, 0, receiver, TAG_ANSWER);
    }
}

INLINED void receive_windows(const struct cell *cell, long first, long last, int sender)
{
    const size_t bytes = cell->size_bytes;
    const char nothing = 0;
    for (long i = first; i < last; i++) {
        for (int k = 0; k < WINDOW; k++)
            tp_irecv(ring_at(&cell->in, i * WINDOW + k), bytes, sender, TAG, k);
        tp_waitall(0, WINDOW);
        tp_send(&nothing, 0, sender, TAG_ANSWER);
    }
}

static void stream(const struct cell *cell, long first, long last)
{
    if (cell->rank == 0)
        send_windows(cell, first, last, 1);
    else
        receive_windows(cell, first, last, 0);
}

static void message_rate(const struct cell *cell, long first, long last)
{
    const int pairs = cell->ranks / 2;
    if (cell->rank < pairs)
        send_windows(cell, first, last, cell->rank + pairs);
    else
        receive_windows(cell, first, last, cell->rank - pairs);
}

static bool several_pairs(const struct cell *cell)
{
    return cell->ranks > 2;
}

/* Ranks below `pairs` send to those above. */
static void fill_pairs(const struct cell *cell, long repetition, int pairs)
{
    for (long i = repetition * WINDOW; i < (repetition + 1) * WINDOW; i++)
        if (cell->rank < pairs)
            payload_fill(ring_at(&cell->out, i), cell->size_bytes, cell->rank,
                         contents_of(cell, i));
        else
            payload_clear(ring_at(&cell->in, i), cell->size_bytes, cell->rank - pairs,
                          contents_of(cell, i));
}

static bool check_pairs(const struct cell *cell, long repetition, int pairs,
                        struct mismatch *mismatch)
{
    bool right = true;
    for (long i = repetition * WINDOW; i < (repetition + 1) * WINDOW && right; i++)
        right =
            cell->rank < pairs || payload_check(ring_at(&cell->in, i), cell->size_bytes,
                                                cell->rank - pairs, contents_of(cell, i), mismatch);
    return right;
}

static void fill_stream(const struct cell *cell, long repetition)
{
    fill_pairs(cell, repetition, 1);
}

static bool check_stream(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return check_pairs(cell, repetition, 1, mismatch);
}

static void fill_message_rate(const struct cell *cell, long repetition)
{
    fill_pairs(cell, repetition, cell->ranks / 2);
}

static bool check_message_rate(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return check_pairs(cell, repetition, cell->ranks / 2, mismatch);
}

const struct pattern pattern_stream = {
    .name = "stream",
    .summary = "a message of a window of 64 from rank 0 to rank 1",
    .algorithm = tp_isend_algorithm,
    .participants = 2,
    .messages_per_repetition = WINDOW,
    .messages_in_flight = WINDOW,
    .windows = WINDOWS_ONE,
    .granularity = 1,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = stream,
    .fill = fill_stream,
    .check = check_stream,
};

const struct pattern pattern_message_rate = {
    .name = "message_rate",
    .summary = "a message of a window of 64 of each pair of ranks, all pairs at once; "
               "their rate is the number of pairs over the time",
    .algorithm = tp_isend_algorithm,
    .in_pairs = true,
    .messages_per_repetition = WINDOW,
    .messages_in_flight = WINDOW,
    .windows = WINDOWS_PER_PAIR,
    .granularity = 1,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_STREAMING,
    .contends = several_pairs,
    .run = message_rate,
    .fill = fill_message_rate,
    .check = check_message_rate,
};
