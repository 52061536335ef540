/**
 * Global communications as Lopez-Pineda (1996) measured them, beside the library's reductions.
 *
 * One word: all ranks put theirs into rank 0's memory, rank 0 combines them, all get the result.
 * A vector: log2 p rounds in which pairs put their partial sums into each other's memory.
 */
#include "patterns/pattern.h"

enum { RESULT = 0, FIRST = 1 }; /* rank 0's words: the result, then one of each rank */

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

static void gsum_master(const struct cell *cell, long first, long last)
{
    double *result = (double *)(void *)word_at(cell, RESULT);
    for (long i = first; i < last; i++) {
        put_to_master(cell, i);
        double sum = 0;
        for (int r = 0; cell->rank == 0 && r < cell->ranks; r++)
            sum += *real_at(cell, r);
        if (cell->rank == 0)
            *result = sum;
        get_from_master(cell, i);
    }
}

static void gmax_master(const struct cell *cell, long first, long last)
{
    double *result = (double *)(void *)word_at(cell, RESULT);
    for (long i = first; i < last; i++) {
        put_to_master(cell, i);
        double most = *real_at(cell, 0);
        for (int r = 1; cell->rank == 0 && r < cell->ranks; r++)
            most = *real_at(cell, r) > most ? *real_at(cell, r) : most;
        if (cell->rank == 0)
            *result = most;
        get_from_master(cell, i);
    }
}

static void gland_master(const struct cell *cell, long first, long last)
{
    for (long i = first; i < last; i++) {
        put_to_master(cell, i);
        uint64_t all = 1;
        for (int r = 0; cell->rank == 0 && r < cell->ranks; r++)
            all &= *word_at(cell, FIRST + r) != 0;
        if (cell->rank == 0)
            *word_at(cell, RESULT) = all;
        get_from_master(cell, i);
    }
}

static struct reduction by(const struct cell *cell, enum tp_op op)
{
    return (struct reduction){op == TP_LAND ? TP_INT64 : TP_DOUBLE, op, cell->ranks};
}

static void fill_word(const struct cell *cell, long repetition, struct reduction reduction)
{
    const size_t offset = contents_of(cell, repetition);
    payload_fill_elements(ring_at(&cell->out, repetition), 1, reduction, cell->rank, offset);
    payload_clear(ring_at(&cell->in, repetition), 8, cell->rank, offset);
}

static bool check_word(const struct cell *cell, long repetition, struct reduction reduction,
                       struct mismatch *mismatch)
{
    return payload_check_elements(ring_at(&cell->in, repetition), 1, reduction, cell->ranks,
                                  contents_of(cell, repetition), mismatch);
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

const struct pattern pattern_gsum_master = {
    .name = "gsum_master",
    .summary = "one-word sum: all put to rank 0, all get from it",
    .algorithm = tp_put_algorithm,
    .messages_per_repetition = 1,
    .keeps_input = true,
    .symmetric = true,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .run = gsum_master,
    .fill = fill_real,
    .check = check_sum,
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
    .run = gmax_master,
    .fill = fill_real,
    .check = check_max,
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
    .run = gland_master,
    .fill = fill_truth,
    .check = check_truth,
};
