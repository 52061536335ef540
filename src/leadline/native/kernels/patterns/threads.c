/**
 * Ping-pong under MPI_THREAD_MULTIPLE between ranks 0 and 1: by one thread in each, which against
 * the plain one shows the price of the library's locks, and by two at the same time, each with its
 * partner in the other rank, on a tag of their own. The time is half a round trip of each thread,
 * as long as the slower of rank 0's takes.
 */
#include "patterns/echo.h"

enum { TAG = 11 };

INLINED void pingpong(const struct cell *cell, long first, long last, int thread)
{
    const size_t bytes = cell->size_bytes, at = thread_at(bytes, thread);
    const int tag = TAG + thread;
    if (cell->rank == 0) {
        for (long i = first; i < last; i++) {
            tp_send(ring_at(&cell->out, i) + at, bytes, 1, tag);
            tp_recv(ring_at(&cell->in, i) + at, bytes, 1, tag);
        }
    } else {
        for (long i = first; i < last; i++) {
            tp_recv(ring_at(&cell->in, i) + at, bytes, 0, tag);
            tp_send(ring_at(&cell->out, i) + at, bytes, 0, tag);
        }
    }
}

static void run(const struct cell *cell, long first, long last)
{
    pingpong(cell, first, last, 0);
}

static void run_second(const struct cell *cell, long first, long last)
{
    pingpong(cell, first, last, 1);
}

/* Threads' messages differ by their offset. */
static void clear(const struct cell *cell, long repetition, int thread)
{
    echo_clear(cell, repetition, thread_at(cell->size_bytes, thread), cell->size_bytes);
}

static void fill_of(const struct cell *cell, long repetition, int thread)
{
    echo_fill(cell, repetition, thread_at(cell->size_bytes, thread), cell->size_bytes);
}

static bool check_of(const struct cell *cell, long repetition, int thread,
                     struct mismatch *mismatch)
{
    const size_t at = thread_at(cell->size_bytes, thread);
    return echo_check(cell, repetition, at, cell->size_bytes, mismatch);
}

static void fill_first(const struct cell *cell, long repetition)
{
    fill_of(cell, repetition, 0);
}

static void fill_both(const struct cell *cell, long repetition)
{
    fill_of(cell, repetition, 0);
    fill_of(cell, repetition, 1);
}

static bool check_first(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return check_of(cell, repetition, 0, mismatch);
}

static bool check_both(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return check_of(cell, repetition, 0, mismatch) && check_of(cell, repetition, 1, mismatch);
}

/* Rank 0's half of a repetition, its buffer cleared while the message is away: an echo that never
   came back would otherwise look right, because the buffer still holds what was sent. */
static void there_and_back(const struct cell *cell, long repetition, int thread)
{
    const size_t at = thread_at(cell->size_bytes, thread);
    tp_send(ring_at(&cell->out, repetition) + at, cell->size_bytes, 1, TAG + thread);
    clear(cell, repetition, thread);
    tp_recv(ring_at(&cell->in, repetition) + at, cell->size_bytes, 1, TAG + thread);
}

/* Each thread's messages one after the other; that they don't mix shows where both run. */
static bool validate(const struct pattern *self, const struct cell *cell, long repetition,
                     struct mismatch *mismatch)
{
    bool right = true;
    for (int thread = 0; thread < self->threads; thread++) {
        if (cell->rank == 0)
            there_and_back(cell, repetition, thread);
        else
            pingpong(cell, repetition, repetition + 1, thread);
        right &= check_of(cell, repetition, thread, mismatch);
    }
    return right;
}

const struct pattern pattern_pingpong_multiple = {
    .name = "pingpong_multiple",
    .summary = "half round trip of one thread under MPI_THREAD_MULTIPLE",
    .algorithm = tp_threads_algorithm,
    .participants = 2,
    .messages_per_repetition = 2,
    .granularity = 1,
    .threads = 1,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = run,
    .fill = fill_first,
    .check = check_first,
    .validate = validate,
};

const struct pattern pattern_pingpong_threads = {
    .name = "pingpong_threads",
    .summary = "half round trip of each of two threads at the same time",
    .algorithm = tp_threads_algorithm,
    .participants = 2,
    .messages_per_repetition = 2,
    .granularity = 1,
    .threads = 2,
    .out_room = ROOM_PER_THREAD,
    .in_room = ROOM_PER_THREAD,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = run,
    .second = run_second,
    .fill = fill_both,
    .check = check_both,
    .validate = validate,
};
