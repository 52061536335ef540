/**
 * What one core gets from its memory: a = b + s c over fields as large as those of MG's finest
 * grid. Linked into a kernel as its extra pattern, it takes turns with "mg" there.
 */
#pragma GCC optimize("O3") /* as applications are compiled */

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "applications/mg/classes.h"
#include "patterns/pattern.h"

enum { FIELDS = 3, SWEEPS = 4, PAGE = 2 << 20 };

/* Vectors as long as those of MG's loops. */
#if defined __x86_64__ && defined __GLIBC__
#define VECTORISED __attribute__((target_clones("avx2", "default")))
#else
#define VECTORISED
#endif

static double *field[FIELDS];
static size_t numbers;

static const char *prepare(const struct cell *cell)
{
    numbers = points_of(grid_classes[cell->chosen[OPTION_CLASS]].levels);
    const size_t bytes = (numbers * sizeof(double) + PAGE - 1) / PAGE * PAGE;
    for (int i = 0; i < FIELDS; i++) {
        field[i] = aligned_alloc(PAGE, bytes);
        if (!field[i])
            return "no memory for its fields";
        (void)madvise(field[i], bytes, MADV_HUGEPAGE);
        memset(field[i], 0, bytes);
    }
    return NULL;
}

static void end(const struct cell *cell)
{
    (void)cell;
    for (int i = 0; i < FIELDS; i++)
        free(field[i]);
    memset(field, 0, sizeof field);
}

static void restart(const struct cell *cell)
{
    (void)cell;
    for (size_t i = 0; i < numbers; i++) {
        field[0][i] = -1;
        field[1][i] = (double)i;
        field[2][i] = 1;
    }
}

VECTORISED static void add(double *restrict sum, const double *restrict one,
                           const double *restrict other)
{
    for (size_t i = 0; i < numbers; i++)
        sum[i] = one[i] + 3 * other[i];
}

static void run(const struct cell *cell, long first, long last)
{
    (void)cell;
    for (long i = first; i < last; i++)
        add(field[0], field[1], field[2]);
}

static bool check(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    (void)cell, (void)repetition;
    for (size_t i = 0; i < numbers; i++)
        if (!quantity_is("sum", (double)i + 3, field[0][i], 0, mismatch))
            return false;
    return true;
}

#define CUBE(n) ((size_t)(n) * (n) * (n))
#define PROBLEM(n) {SWEEPS, 1, 2 * CUBE(n), FIELDS * sizeof(double) * CUBE(n)}

static const struct problem problems[CLASSES] = {
    [CLASS_S] = PROBLEM(32),  [CLASS_W] = PROBLEM(128), [CLASS_A] = PROBLEM(256),
    [CLASS_B] = PROBLEM(256), [CLASS_C] = PROBLEM(512),
};

static const struct application triad = {
    .option = OPTION_CLASS,
    .problems = problems,
    .prepare = prepare,
    .restart = restart,
};

const struct pattern pattern_extra = {
    .name = "triad",
    .summary = "a sum of one field and a multiple of another",
    .algorithm = "native",
    .messages_per_repetition = 1,
    .options = 1u << OPTION_CLASS,
    .keeps_input = true,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_STREAMING,
    .application = &triad,
    .run = run,
    .check = check,
    .end = end,
};
