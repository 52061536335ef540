/**
 * MG without the engine's loops: `multigrid WHAT "params of the slice"`, and rank 0 says what came
 * of it, or why the slice is refused.
 *
 *   solve    for each of two courses the norm of the residual before the first iteration and after
 *            each, and a digest of the whole residual grid, which is the same for every division of
 *            the same numbers; then the nanoseconds spent in communication
 *   calls    rank 0's log of an iteration
 *   charges  where they are
 *   needs    bytes of a rank's fields, and of its messages in each direction
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applications/mg/cycle.h"
#include "engine/prepare/buffers.h"
#include "engine/prepare/cell.h"

enum { COURSES = 2 };

static struct params params;
static struct cell cell;
static struct spent spent;

static uint64_t mixed(uint64_t number)
{
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
    number = (number ^ number >> 27) * 0x94d049bb133111eb;
    return number ^ number >> 31;
}

/* Of a number at its place in the whole grid. */
static uint64_t digest_of(double number, uint64_t point)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return mixed(bits + mixed(point + 1));
}

static uint64_t place(const struct multigrid *grids, int axis, size_t here)
{
    const size_t points = finest_of(grids)->box.points[axis];
    const int mine = division_place(&grids->division, grids->division.rank, axis);
    return (uint64_t)(points * (size_t)mine + here - 1) << axis * grids->class->levels;
}

static uint64_t own_digest(const struct multigrid *grids)
{
    const struct level *top = finest_of(grids);
    const size_t *points = top->box.points;
    uint64_t digest = 0;
    for (size_t z = 1; z <= points[2]; z++)
        for (size_t y = 1; y <= points[1]; y++)
            for (size_t x = 1; x <= points[0]; x++)
                digest += digest_of(top->r[box_at(&top->box, y, z) + x],
                                    place(grids, 0, x) | place(grids, 1, y) | place(grids, 2, z));
    return digest;
}

static uint64_t whole_digest(const struct multigrid *grids)
{
    const uint64_t mine = own_digest(grids);
    uint64_t all[MOST_RANKS], sum = 0;
    tp_allgather(&mine, all, sizeof mine);
    for (int rank = 0; rank < tp_size(); rank++)
        sum += all[rank];
    return sum;
}

static void say(const struct multigrid *grids, int iteration)
{
    const double norm = multigrid_norm(grids);
    const uint64_t digest = whole_digest(grids);
    if (tp_rank() == 0)
        printf("%d %.15e %016" PRIx64 "\n", iteration, norm, digest);
}

static const struct grid_class *class_of_cell(void)
{
    return &grid_classes[cell.chosen[OPTION_CLASS]];
}

static void settle(void)
{
    tp_symmetric_sync();
    tp_barrier();
    tp_symmetric_sync();
}

static void begin(struct multigrid *grids)
{
    if (!multigrid_begin(grids, class_of_cell(), &cell))
        exit(EXIT_FAILURE);
    if (params.pattern->symmetric) {
        buffers_clear_words(&cell);
        settle();
    }
    multigrid_anew(grids);
    tp_barrier();
}

static void iterate(struct multigrid *grids)
{
    if (params.pattern->symmetric)
        cycle_by_puts(grids);
    else
        cycle_by_messages(grids);
}

/* Twice the same, for nothing may be left of what was solved before. */
static void solve(void)
{
    struct multigrid grids;
    begin(&grids);
    for (int course = 0; course < COURSES; course++) {
        multigrid_anew(&grids);
        tp_barrier();
        say(&grids, 0);
        for (int i = 1; i <= problem_of(params.pattern, &cell)->repetitions; i++) {
            iterate(&grids);
            say(&grids, i);
        }
    }
    multigrid_end(&grids);
    if (tp_rank() == 0)
        printf("communication %" PRId64 "\n", spent.communication_ns);
}

static void write_calls(void)
{
    struct multigrid grids;
    cell.traced = true;
    begin(&grids);
    tp_trace_begin();
    iterate(&grids);
    const struct tp_log calls = tp_trace_end();
    multigrid_end(&grids);
    if (tp_rank() == 0)
        fwrite(calls.text, 1, calls.bytes, stdout);
}

static void write_charges(void)
{
    struct charge charges[CHARGES];
    charges_find(class_of_cell()->levels, charges);
    for (int i = 0; i < CHARGES; i++)
        printf("%zu %zu %zu %g\n", charges[i].at[0], charges[i].at[1], charges[i].at[2],
               charges[i].value);
}

static void write_needs(void)
{
    printf("%zu %zu\n", multigrid_bytes(class_of_cell(), tp_size()),
           multigrid_ring_bytes(class_of_cell(), tp_size()));
}

static void obey(const char *what)
{
    if (strcmp(what, "solve") == 0)
        solve();
    else if (strcmp(what, "calls") == 0)
        write_calls();
    else if (strcmp(what, "charges") == 0)
        write_charges();
    else
        write_needs();
}

int main(int argc, char **argv)
{
    char wrong[256];
    tp_init(&argc, &argv);
    if (argc != 3 || !params_parse(argv[2], &params, wrong, sizeof wrong))
        return EXIT_FAILURE;
    const char *reason = cell_prepare(&params, tp_size(), &cell);
    cell.spent = &spent;
    if (!reason)
        obey(argv[1]);
    else if (tp_rank() == 0)
        puts(reason);
    tp_finalize();
    return EXIT_SUCCESS;
}
