/**
 * NAS MG: V-cycles of a multigrid on a periodic cube, whose boxes exchange their faces on every
 * grid. D. Bailey et al., "The NAS Parallel Benchmarks" (1994); operators, classes and norms as in
 * NPB 3.3. `mg` sends messages; `mg_puts` puts faces with flags, as "modified for MPT" does.
 */
#include "applications/mg/cycle.h"
#include "applications/mg/stencil.h"
#include "applications/mg/transfer.h"

/* Of n points along each axis: at each point of the finest grid, of the others, n^3 / 7 points
   together, and of the coarsest. There are three fields of the finest grid, two of each other. */
#define CUBE(n) ((size_t)(n) * (n) * (n))
#define FLOP_AT_ALL (RESTRICT_FLOP / 8 + RESIDUAL_FLOP + SMOOTH_FLOP)
#define FLOP(n)                                                                                    \
    ((FLOP_AT_ALL + CORRECT_FLOP + RESIDUAL_FLOP) * CUBE(n) +                                      \
     (FLOP_AT_ALL + PROLONGATE_FLOP) * ((CUBE(n) - 64) / 7) + SMOOTH_FLOP * 8)
#define BYTES(n) (sizeof(double) * 23 * CUBE((n) + 2) / 7)
#define PROBLEM(n, iterations) {iterations, MOST_RANKS, FLOP(n), BYTES(n)}

static const struct problem problems[CLASSES] = {
    [CLASS_S] = PROBLEM(32, 4),   [CLASS_W] = PROBLEM(128, 4),  [CLASS_A] = PROBLEM(256, 4),
    [CLASS_B] = PROBLEM(256, 20), [CLASS_C] = PROBLEM(512, 20),
};

static struct multigrid grids; /* of the slice */

static const struct grid_class *class_of(const struct cell *cell)
{
    return &grid_classes[cell->chosen[OPTION_CLASS]];
}

static size_t buffer_bytes(const struct cell *cell)
{
    return multigrid_ring_bytes(class_of(cell), cell->ranks);
}

static const char *prepare(const struct cell *cell)
{
    return multigrid_begin(&grids, class_of(cell), cell) ? NULL : "no memory for its grids";
}

static void restart(const struct cell *cell)
{
    (void)cell;
    multigrid_anew(&grids);
}

static void by_messages(const struct cell *cell, long first, long last)
{
    (void)cell;
    for (long i = first; i < last; i++)
        cycle_by_messages(&grids);
}

static void by_puts(const struct cell *cell, long first, long last)
{
    (void)cell;
    for (long i = first; i < last; i++)
        cycle_by_puts(&grids);
}

static bool check(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    (void)repetition;
    return quantity_is("norm", class_of(cell)->norm, multigrid_norm(&grids), norm_tolerance,
                       mismatch);
}

static void end(const struct cell *cell)
{
    (void)cell;
    multigrid_end(&grids);
}

static const struct application mg = {
    .option = OPTION_CLASS,
    .problems = problems,
    .powers_of_two = true,
    .buffer_bytes = buffer_bytes,
    .prepare = prepare,
    .restart = restart,
};

const struct pattern pattern_mg = {
    .name = "mg",
    .summary = "NAS MG: a V-cycle of a multigrid and its residual, ghosts sent as messages",
    .algorithm = tp_isend_algorithm,
    .messages_per_repetition = 1,
    .one_buffer = true,
    .options = 1u << OPTION_CLASS,
    .keeps_input = true,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_STREAMING,
    .application = &mg,
    .run = by_messages,
    .check = check,
    .end = end,
};

const struct pattern pattern_mg_puts = {
    .name = "mg_puts",
    .summary = "NAS MG with ghosts put into the neighbours' memory, and flags",
    .algorithm = tp_put_flag_algorithm,
    .messages_per_repetition = 1,
    .one_buffer = true,
    .options = 1u << OPTION_CLASS,
    .keeps_input = true,
    .symmetric = true,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_STREAMING,
    .application = &mg,
    .run = by_puts,
    .check = check,
    .end = end,
};
