/**
 * The vector sum of Lopez-Pineda (1996) by a log2 reduction: in round k ranks that differ in bit k
 * put their partial sums into each other's memory and add. Ranks beyond the largest power of two
 * first put theirs to a partner, and get the result from it.
 *
 * `in` holds the partial sums, then a block for each round to land in; the next turn puts there
 * when the block's owner has said that it is free. Flags count turns since the words were cleared.
 */
#include "patterns/pattern.h"

enum {
    LANDED = 0,
    FREE = SPARE_WORDS / 2,
    DONE = SPARE_WORDS - 1
}; /* words, the first two by round */

static uint64_t turn;

static inline double *block_at(const struct cell *cell, long i, int block)
{
    return (double *)(void *)(ring_at(&cell->in, i) + (size_t)block * cell->size_bytes);
}

/* The largest power of two of ranks. */
static inline int core_of(const struct cell *cell)
{
    int core = 1;
    while (core * 2 <= cell->ranks)
        core *= 2;
    return core;
}

static inline void put_partial(const struct cell *cell, long i, int round, const double *from,
                               int peer)
{
    tp_wait_until(word_at(cell, FREE + round), turn - 1);
    tp_put_flag(block_at(cell, i, 1 + round), from, cell->size_bytes, word_at(cell, LANDED + round),
                turn, peer);
}

/* The partial sum `mine` and what `peer` put, added; returns where they are. */
static inline const double *add_partial(const struct cell *cell, long i, int round,
                                        const double *mine, int peer)
{
    double *sum = block_at(cell, i, 0);
    const double *theirs = block_at(cell, i, 1 + round);
    tp_wait_until(word_at(cell, LANDED + round), turn);
    tp_quiet(); /* `mine` may change now */
    for (size_t j = 0; j < cell->size_bytes / 8; j++)
        sum[j] = mine[j] + theirs[j];
    tp_put_flag(sum, sum, 0, word_at(cell, FREE + round), turn, peer);
    return sum;
}

static void vector_sum_log2(const struct cell *cell, long first, long last)
{
    const int rank = cell->rank, core = core_of(cell), folds = __builtin_ctz((unsigned)core);
    for (long i = first; i < last; i++) {
        const double *mine = (const double *)(const void *)ring_at(&cell->out, i);
        turn++;
        if (rank >= core) {
            put_partial(cell, i, folds, mine, rank - core);
            tp_wait_until(word_at(cell, DONE), turn);
            continue;
        }
        if (rank + core < cell->ranks)
            mine = add_partial(cell, i, folds, mine, rank + core);
        for (int round = 0; round < folds; round++) {
            put_partial(cell, i, round, mine, rank ^ 1 << round);
            mine = add_partial(cell, i, round, mine, rank ^ 1 << round);
        }
        if (rank + core < cell->ranks || cell->ranks == 1)
            tp_put_flag(block_at(cell, i, 0), mine, cell->size_bytes, word_at(cell, DONE), turn,
                        (rank + core) % cell->ranks);
        tp_quiet();
    }
}

/* In each round a rank takes part in, and where it folds another's in. */
static struct computation additions(const struct cell *cell)
{
    const int core = core_of(cell), folds = __builtin_ctz((unsigned)core);
    const int sums = cell->rank >= core ? 0 : folds + (cell->rank + core < cell->ranks);
    const size_t flop = (size_t)sums * (cell->size_bytes / 8);
    return (struct computation){flop, 3 * 8 * flop};
}

static struct reduction sum_of(const struct cell *cell)
{
    return (struct reduction){TP_DOUBLE, TP_SUM, cell->ranks};
}

static void fill(const struct cell *cell, long repetition)
{
    const size_t offset = elements_of(repetition);
    payload_fill_elements(ring_at(&cell->out, repetition), cell->size_bytes / 8, sum_of(cell),
                          cell->rank, offset);
    payload_clear(ring_at(&cell->in, repetition), cell->size_bytes, cell->rank, offset);
    turn = 0;
}

static bool check(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    return payload_check_elements(ring_at(&cell->in, repetition), cell->size_bytes / 8,
                                  sum_of(cell), cell->ranks, elements_of(repetition), mismatch);
}

const struct pattern pattern_vector_sum_log2 = {
    .name = "vector_sum_log2",
    .summary = "a vector of each rank summed by puts in log2 p rounds, the result on every rank",
    .algorithm = tp_put_flag_algorithm,
    .messages_per_repetition = 1,
    .granularity = 8,
    .least_bytes = 8,
    .keeps_input = true,
    .in_room = ROOM_PER_RANK,
    .symmetric = true,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_ISOLATED,
    .computation = additions,
    .run = vector_sum_log2,
    .fill = fill,
    .check = check,
};
