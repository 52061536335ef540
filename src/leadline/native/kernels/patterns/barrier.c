/** Barriers: the backend's own, and the classic algorithms where the backend can run them. */
#include "patterns/pattern.h"

enum { TAG = 32741 /* of the tool's own messages */, LEAST_STAGGER_NS = 20000 };

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

/* The largest of all ranks' values, on every rank; not through the barrier under test. */
static int64_t largest(const struct cell *cell, int64_t mine)
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

/* Clearly longer than a message and a barrier that waits for nobody. */
static int64_t stagger_ns(const struct cell *cell)
{
    const int64_t start = clock_now_ns();
    largest(cell, 0);
    const int64_t messages = largest(cell, clock_now_ns() - start);
    return messages > LEAST_STAGGER_NS ? messages : LEAST_STAGGER_NS;
}

/* Tells `late` that this rank is about to enter, and how long it then stayed, by its own clock. */
static int64_t stay_ns(const struct pattern *self, const struct cell *cell, int late)
{
    const char coming = 0;
    const int64_t start = clock_now_ns();
    tp_send(&coming, sizeof coming, late, TAG);
    self->run(cell, 0, 1);
    return clock_now_ns() - start;
}

static void enter_late(const struct pattern *self, const struct cell *cell, int64_t stagger)
{
    char coming;
    for (int peer = 0; peer < cell->ranks; peer++)
        if (peer != cell->rank)
            tp_recv(&coming, sizeof coming, peer, TAG);
    clock_spin_ns(stagger);
    self->run(cell, 0, 1);
}

/* Each rank in turn enters only some time after all others said that they come: so long the others
   must stay. No two hosts' clocks are compared, but how long each says that the time was. */
static bool validate(const struct pattern *self, const struct cell *cell, long repetition,
                     struct mismatch *mismatch)
{
    struct cell idle = *cell;
    bool right = true;
    (void)repetition;
    idle.work = (struct work){0, 0}; /* computing takes time, too */
    const int64_t stagger = stagger_ns(cell);
    for (int late = 0; late < cell->ranks; late++) {
        if (cell->rank == late) {
            enter_late(self, &idle, stagger);
            continue;
        }
        const int64_t stayed = stay_ns(self, &idle, late);
        if (right && stayed < stagger / 2)
            *mismatch = (struct mismatch){.expected = (uint64_t)stagger, .seen = (uint64_t)stayed};
        right = right && stayed >= stagger / 2;
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
    .computation = computation_beside,
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
