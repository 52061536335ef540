/** Barriers: the backend's own, and the classic algorithms where the backend can run them. */
#include "patterns/pattern.h"

enum { TAG = 2, STAGGER_NS = 20000 };

static void barrier(const struct cell *cell, long first, long last)
{
    (void)cell;
    for (long i = first; i < last; i++)
        tp_barrier();
}

static void barrier_counter(const struct cell *cell, long first, long last)
{
    (void)cell;
    for (long i = first; i < last; i++)
        tp_barrier_counter();
}

static void barrier_futex(const struct cell *cell, long first, long last)
{
    (void)cell;
    for (long i = first; i < last; i++)
        tp_barrier_futex();
}

static void barrier_dissemination(const struct cell *cell, long first, long last)
{
    (void)cell;
    for (long i = first; i < last; i++)
        tp_barrier_dissemination();
}

static void ibarrier(const struct cell *cell, long first, long last)
{
    const struct work work = cell->work;
    if (computed(cell, first, last))
        return;
    for (long i = first; i < last; i++) {
        tp_ibarrier(OVERLAP_SLOT);
        overlap(work);
        tp_wait(OVERLAP_SLOT);
    }
}

/* The latest of all ranks' times, on every rank; not through the barrier under test. */
static int64_t latest(const struct cell *cell, int64_t mine)
{
    int64_t all = mine;
    for (int peer = 1; peer < cell->ranks; peer++) {
        int64_t theirs = mine;
        if (cell->rank == 0)
            tp_recv(&theirs, sizeof theirs, peer, TAG);
        else if (cell->rank == peer)
            tp_send(&mine, sizeof mine, 0, TAG);
        all = theirs > all ? theirs : all;
    }
    for (int peer = 1; peer < cell->ranks; peer++) {
        if (cell->rank == 0)
            tp_send(&all, sizeof all, peer, TAG);
        else if (cell->rank == peer)
            tp_recv(&all, sizeof all, 0, TAG);
    }
    return all;
}

/* Each rank in turn arrives late; nobody may leave before it came. One clock for all is needed. */
static bool validate(const struct pattern *self, const struct cell *cell, struct mismatch *mismatch)
{
    bool right = true;
    for (int late = 0; late < cell->ranks; late++) {
        const int64_t ready = clock_now_ns() + (cell->rank == late ? STAGGER_NS : 0);
        while (clock_now_ns() < ready)
            ;
        const int64_t entered = clock_now_ns();
        self->run(cell, 0, 1);
        const int64_t left = clock_now_ns();
        const int64_t last_entered = latest(cell, entered);
        if (right && left < last_entered)
            *mismatch = (struct mismatch){0, (uint64_t)last_entered, (uint64_t)left};
        right = right && left >= last_entered;
    }
    return right;
}

const struct pattern pattern_barrier = {
    .name = "barrier",
    .summary = "the library's own barrier",
    .algorithm = tp_barrier_algorithm,
    .messages_per_repetition = 1,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = barrier,
    .validate = validate,
};

const struct pattern pattern_ibarrier = {
    .name = "ibarrier",
    .summary = "the library's own barrier, started and waited for",
    .algorithm = tp_ibarrier_algorithm,
    .options = OVERLAP_AND_WORK,
    .messages_per_repetition = 1,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = ibarrier,
    .validate = validate,
};

const struct pattern pattern_barrier_counter = {
    .name = "barrier_counter",
    .summary = "barrier on one fetch-and-increment counter",
    .algorithm = tp_barrier_counter_algorithm,
    .messages_per_repetition = 1,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = barrier_counter,
    .validate = validate,
};

const struct pattern pattern_barrier_futex = {
    .name = "barrier_futex",
    .summary = "barrier that sleeps in the kernel",
    .algorithm = tp_barrier_futex_algorithm,
    .messages_per_repetition = 1,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = barrier_futex,
    .validate = validate,
};

const struct pattern pattern_barrier_dissemination = {
    .name = "barrier_dissemination",
    .summary = "barrier of log2 p rounds of notifications",
    .algorithm = tp_barrier_dissemination_algorithm,
    .messages_per_repetition = 1,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = barrier_dissemination,
    .validate = validate,
};
