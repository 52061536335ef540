/**
 * Global communications as Lopez-Pineda (1996) measured them, beside the library's reductions.
 *
 * One word: all ranks put theirs into rank 0's memory, rank 0 combines them, all get the result.
 * A vector: log2 p rounds in which pairs put their partial sums into each other's memory.
 */
#include "patterns/pattern.h"

enum { RESULT = 0, FIRST = 1 }; /* rank 0's words: the result, then one of each rank */
enum { TAG = 32740 /* of the tool's own messages */, LATE_NS = 20000 };

static inline void put_to_master(const struct cell *cell, long i)
{
    tp_put(word_at(cell, FIRST + cell->rank), ring_at(&cell->out, i), sizeof(uint64_t), 0);
    tp_barrier();
    tp_symmetric_sync();
}

static inline void get_from_master(const struct cell *cell, long i)
{
    tp_symmetric_sync();
    tp_barrier();
    tp_get(ring_at(&cell->in, i), word_at(cell, RESULT), sizeof(uint64_t), 0);
}

static inline const double *real_at(const struct cell *cell, int rank)
{
    return (const double *)(const void *)word_at(cell, FIRST + rank);
}

static inline void put_sum(const struct cell *cell)
{
    double *result = (double *)(void *)word_at(cell, RESULT), sum = 0;
    for (int r = 0; r < cell->ranks; r++)
        sum += *real_at(cell, r);
    *result = sum;
}

static inline void put_most(const struct cell *cell)
{
    double *result = (double *)(void *)word_at(cell, RESULT), most = *real_at(cell, 0);
    for (int r = 1; r < cell->ranks; r++)
        most = *real_at(cell, r) > most ? *real_at(cell, r) : most;
    *result = most;
}

static inline void put_all(const struct cell *cell)
{
    uint64_t all = 1;
    for (int r = 0; r < cell->ranks; r++)
        all &= *word_at(cell, FIRST + r) != 0;
    *word_at(cell, RESULT) = all;
}

INLINED void combine(const struct cell *cell, long first, long last,
                     void (*put_result)(const struct cell *))
{
    for (long i = first; i < last; i++) {
        put_to_master(cell, i);
        if (cell->rank == 0)
            put_result(cell);
        get_from_master(cell, i);
    }
}

static void gsum_master(const struct cell *cell, long first, long last)
{
    combine(cell, first, last, put_sum);
}

static void gmax_master(const struct cell *cell, long first, long last)
{
    combine(cell, first, last, put_most);
}

static void gland_master(const struct cell *cell, long first, long last)
{
    combine(cell, first, last, put_all);
}

/* Rank 0 combines a word of each. */
static struct computation combination(const struct cell *cell)
{
    const size_t words = cell->rank == 0 ? (size_t)cell->ranks : 0;
    return (struct computation){words, words > 0 ? 8 * (words + 1) : 0};
}

static struct reduction by(const struct cell *cell, enum tp_op op)
{
    return (struct reduction){op == TP_LAND ? TP_INT64 : TP_DOUBLE, op, cell->ranks};
}

static void fill_word(const struct cell *cell, long repetition, struct reduction reduction)
{
    const size_t offset = elements_of(repetition);
    payload_fill_elements(ring_at(&cell->out, repetition), 1, reduction, cell->rank, offset);
    payload_clear(ring_at(&cell->in, repetition), 8, cell->rank, offset);
}

static bool check_word(const struct cell *cell, long repetition, struct reduction reduction,
                       struct mismatch *mismatch)
{
    return payload_check_elements(ring_at(&cell->in, repetition), 1, reduction, cell->ranks,
                                  elements_of(repetition), mismatch);
}

static void fill_real(const struct cell *cell, long repetition)
{
    fill_word(cell, repetition, by(cell, TP_SUM));
}

static void fill_truth(const struct cell *cell, long repetition)
{
    fill_word(cell, repetition, by(cell, TP_LAND));
}

static bool check_sum(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return check_word(cell, repetition, by(cell, TP_SUM), mismatch);
}

static bool check_max(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return check_word(cell, repetition, by(cell, TP_MAX), mismatch);
}

static bool check_truth(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return check_word(cell, repetition, by(cell, TP_LAND), mismatch);
}

static void tell(int peer)
{
    const char coming = 0;
    tp_send(&coming, sizeof coming, peer, TAG);
}

static void hear_from(int peer)
{
    char coming;
    tp_recv(&coming, sizeof coming, peer, TAG);
}

/* The others put, one by one, only some time after rank 0 has gone to wait for them. */
static void put_late(const struct cell *cell, long i, void (*put_result)(const struct cell *))
{
    for (int peer = 1; cell->rank == 0 && peer < cell->ranks; peer++)
        tell(peer);
    if (cell->rank > 0) {
        hear_from(0);
        clock_spin_ns((1 + (cell->rank + i / 2) % cell->ranks) * LATE_NS);
    }
    put_to_master(cell, i);
    if (cell->rank == 0)
        put_result(cell);
    get_from_master(cell, i);
}

/* Rank 0 has the result only some time after the others have gone to wait for it. */
static void have_late(const struct cell *cell, long i, void (*put_result)(const struct cell *))
{
    put_to_master(cell, i);
    if (cell->rank > 0)
        tell(0);
    for (int peer = 1; cell->rank == 0 && peer < cell->ranks; peer++)
        hear_from(peer);
    if (cell->rank == 0) {
        clock_spin_ns(LATE_NS);
        put_result(cell);
    }
    get_from_master(cell, i);
}

/* With each that doesn't wait to be found out, then as often as it takes until each rank's word has
   been the one that decides. Words keep what they were: each repetition has others. */
static bool validate(const struct pattern *self, const struct cell *cell, long repetition,
                     void (*put_result)(const struct cell *), struct mismatch *mismatch)
{
    put_late(cell, repetition, put_result);
    bool right = self->check(cell, repetition, mismatch);
    for (long i = repetition + 1; i <= repetition + 1 + 2 * cell->ranks; i++) {
        self->fill(cell, i);
        if (i == repetition + 1)
            have_late(cell, i, put_result);
        else
            self->run(cell, i, i + 1);
        right = right && self->check(cell, i, mismatch);
    }
    return right;
}

static bool validate_sum(const struct pattern *self, const struct cell *cell, long repetition,
                         struct mismatch *mismatch)
{
    return validate(self, cell, repetition, put_sum, mismatch);
}

static bool validate_max(const struct pattern *self, const struct cell *cell, long repetition,
                         struct mismatch *mismatch)
{
    return validate(self, cell, repetition, put_most, mismatch);
}

static bool validate_truth(const struct pattern *self, const struct cell *cell, long repetition,
                           struct mismatch *mismatch)
{
    return validate(self, cell, repetition, put_all, mismatch);
}

const struct pattern pattern_gsum_master = {
    .name = "gsum_master",
    .summary = "one-word sum: all put to rank 0, all get from it",
    .algorithm = tp_put_algorithm,
    .messages_per_repetition = 1,
    .keeps_input = true,
    .symmetric = true,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .computation = combination,
    .run = gsum_master,
    .fill = fill_real,
    .check = check_sum,
    .validate = validate_sum,
};

const struct pattern pattern_gmax_master = {
    .name = "gmax_master",
    .summary = "one-word maximum: all put to rank 0, all get from it",
    .algorithm = tp_put_algorithm,
    .messages_per_repetition = 1,
    .keeps_input = true,
    .symmetric = true,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .computation = combination,
    .run = gmax_master,
    .fill = fill_real,
    .check = check_max,
    .validate = validate_max,
};

const struct pattern pattern_gland_master = {
    .name = "gland_master",
    .summary = "one-word logical and: all put to rank 0, all get from it",
    .algorithm = tp_put_algorithm,
    .messages_per_repetition = 1,
    .keeps_input = true,
    .symmetric = true,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .computation = combination,
    .run = gland_master,
    .fill = fill_truth,
    .check = check_truth,
    .validate = validate_truth,
};
