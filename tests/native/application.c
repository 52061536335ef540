/**
 * The smallest application, a kernel's extra pattern: heat along a ring. Each rank has a part of
 * it; a repetition sends its ends to the neighbours, by messages or (HEAT_BY_PUTS) by puts with
 * flags, then smooths. Heat is neither made nor lost, and all values are exact.
 *
 * LEADLINE_PLANT says what goes wrong: "weight" on rank 0, the "count" of sources, that of all
 * solutions but the first ("later"), "memory" on the last rank.
 */
#include <stdlib.h>
#include <string.h>

#include "patterns/pattern.h"

enum { TAG = 3, REPETITIONS = 3, SOURCES = 5, HEAT = 1 << 20, LEFT = 0, RIGHT = 1 };

static const struct problem problems[CUBES] = {
    [CUBE_SMALL] = {REPETITIONS, 8, 4 * (1 << 14), 2 * 8 * (1 << 14)},
    [CUBE_MEDIUM] = {REPETITIONS, 16, 4 * (1 << 18), 2 * 8 * (1 << 18)},
    [CUBE_LARGE] = {REPETITIONS, 16, 4ul << 40, 2 * 8ul << 40},
};
static const int points_of[CUBES] = {1 << 14, 1 << 18, 1 << 20};

static double *now, *next; /* [1 .. points], with a neighbour's at 0 and points + 1 */
static int points;

static bool planted(const char *what)
{
    const char *plant = getenv("LEADLINE_PLANT");
    return plant && strcmp(plant, what) == 0;
}

static const char *prepare(const struct cell *cell)
{
    if (planted("memory") && cell->rank == cell->ranks - 1)
        return "no memory for the ring";
    points = points_of[cell->chosen[OPTION_CUBE]] / cell->ranks;
    now = calloc((size_t)points + 2, sizeof *now);
    next = calloc((size_t)points + 2, sizeof *next);
    return now && next ? NULL : "no memory for the ring";
}

static void end(const struct cell *cell)
{
    (void)cell;
    free(now);
    free(next);
    now = next = NULL;
}

static void restart(const struct cell *cell)
{
    memset(now, 0, ((size_t)points + 2) * sizeof *now);
    for (int source = 0; source < SOURCES && cell->rank == 0; source++)
        now[1 + source] = HEAT;
}

#ifdef HEAT_BY_PUTS
static size_t buffer_bytes(const struct cell *cell)
{
    (void)cell;
    return 2 * sizeof(double);
}

static void exchange(const struct cell *cell, int left, int right, long repetition)
{
    const uint64_t value = (uint64_t)repetition + 1;
    double *in = (double *)(void *)ring_at(&cell->in, 0);
    tp_put_flag(&in[RIGHT], &now[1], sizeof *now, word_at(cell, RIGHT), value, left);
    tp_put_flag(&in[LEFT], &now[points], sizeof *now, word_at(cell, LEFT), value, right);
    tp_wait_until(word_at(cell, LEFT), value);
    tp_wait_until(word_at(cell, RIGHT), value);
    now[0] = in[LEFT];
    now[points + 1] = in[RIGHT];
    tp_put_flag(in, now, 0, word_at(cell, 2 + RIGHT), value, left); /* was read */
    tp_put_flag(in, now, 0, word_at(cell, 2 + LEFT), value, right);
    tp_wait_until(word_at(cell, 2 + LEFT), value);
    tp_wait_until(word_at(cell, 2 + RIGHT), value);
}
#else
static void exchange(const struct cell *cell, int left, int right, long repetition)
{
    (void)cell, (void)repetition;
    tp_sendrecv(&now[points], sizeof *now, right, &now[0], sizeof *now, left, TAG);
    tp_sendrecv(&now[1], sizeof *now, left, &now[points + 1], sizeof *now, right, TAG);
}
#endif

static void smooth(const struct cell *cell)
{
    const double weight = planted("weight") && cell->rank == 0 ? 0.375 : 0.25;
    for (int i = 1; i <= points; i++)
        next[i] = weight * now[i - 1] + 0.5 * now[i] + 0.25 * now[i + 1];
    double *old = now;
    now = next;
    next = old;
}

static void flow(const struct cell *cell, long first, long last)
{
    const int right = (cell->rank + 1) % cell->ranks;
    const int left = (cell->rank + cell->ranks - 1) % cell->ranks;
    for (long i = first; i < last; i++) {
        const int64_t begin = spent_begin();
        exchange(cell, left, right, i);
        spent_end(cell, begin);
        smooth(cell);
        worked(cell, 5 * (size_t)points, 16 * (size_t)points);
    }
}

/* Heat has come as far as it went in one solution: more were no restart, fewer a repetition lost.
 */
static bool check(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    static int checked;
    double here[2] = {0, 0}, all[2];
    (void)repetition;
    const bool later = checked++ > 0;
    for (int i = 1; i <= points; i++) {
        here[0] += now[i];
        here[1] += now[i] > 0;
    }
    const int64_t begin = spent_begin();
    tp_allreduce(here, all, 2, TP_DOUBLE, TP_SUM);
    spent_end(cell, begin);
    const bool wrong = planted("count") || (planted("later") && later);
    const uint64_t warm = (uint64_t)all[1] + (wrong ? 1 : 0);
    return quantity_is("heat", (double)SOURCES * HEAT, all[0], 1e-12, mismatch) &&
           count_is("warm_points", SOURCES + 2 * REPETITIONS, warm, mismatch);
}

static const struct application heat = {
    .option = OPTION_CUBE,
    .problems = problems,
    .powers_of_two = true,
#ifdef HEAT_BY_PUTS
    .buffer_bytes = buffer_bytes,
#endif
    .prepare = prepare,
    .restart = restart,
};

const struct pattern pattern_extra = {
    .name = "heat",
    .summary = "heat along a ring",
#ifdef HEAT_BY_PUTS
    .algorithm = tp_put_flag_algorithm,
    .symmetric = true,
#else
    .algorithm = "native",
#endif
    .messages_per_repetition = 1,
    .options = 1u << OPTION_CUBE,
    .one_buffer = true,
    .keeps_input = true,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_STREAMING,
    .application = &heat,
    .run = flow,
    .check = check,
    .end = end,
};
