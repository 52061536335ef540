#include "applications/mg/cycle.h"

#include <string.h>

#include "applications/mg/exchange.h"
#include "applications/mg/multigrid.h"
#include "applications/mg/stencil.h"
#include "applications/mg/transfer.h"

/* -- gathering --------------------------------------------------------------------------------- */

/* The coarsest divided grid, gathered on every rank and cut into boxes again. */

/* Copies the rows of a box, `count` numbers each, from `source` to `target`: each has its own place
   of the first number, and strides. */
struct rows {
    size_t start, row, plane;
};

static void copy_rows(const size_t counts[AXES], double *target, struct rows to,
                      const double *source, struct rows from)
{
    for (size_t z = 0; z < counts[2]; z++)
        for (size_t y = 0; y < counts[1]; y++)
            memcpy(target + to.start + z * to.plane + y * to.row,
                   source + from.start + z * from.plane + y * from.row, counts[0] * sizeof *target);
}

/* Points from `first` on, which are ghosts where it is 0. */
static struct rows rows_of(const struct box *box, const size_t first[AXES])
{
    return (struct rows){
        box_at(box, first[1], first[2]) + first[0],
        box_row(box),
        box_plane(box),
    };
}

static struct rows packed(const struct box *box)
{
    return (struct rows){0, box->points[0], box->points[0] * box->points[1]};
}

static void place_block(struct multigrid *grids, int rank)
{
    const struct box *box = &grids->part.box;
    const struct level *whole = &grids->level[grids->gathered];
    size_t first[AXES];
    for (int axis = 0; axis < AXES; axis++)
        first[axis] = 1 + box->points[axis] * (size_t)division_place(&grids->division, rank, axis);
    copy_rows(box->points, whole->r, rows_of(&whole->box, first),
              grids->blocks + (size_t)rank * box_points(box), packed(box));
}

static int ranks_of(const struct division *division)
{
    return division->ranks[0] * division->ranks[1] * division->ranks[2];
}

/* r of that grid, on every rank, from r of all parts; without ghosts. Collective. */
static void gathering_collect(struct multigrid *grids)
{
    const struct box *box = &grids->part.box;
    const size_t bytes = box_points(box) * sizeof(double), first[AXES] = {1, 1, 1};
    copy_rows(box->points, grids->gathering, packed(box), grids->part.r, rows_of(box, first));
    const int64_t began = spent_begin();
    tp_allgather(grids->gathering, grids->blocks, bytes);
    spent_end(grids->cell, began);
    for (int rank = 0; rank < ranks_of(&grids->division); rank++)
        place_block(grids, rank);
}

/* u of the part with its ghosts, from u of the grid with its own. */
static void gathering_cut(struct multigrid *grids)
{
    const struct division *division = &grids->division;
    const struct box *box = &grids->part.box;
    const struct level *whole = &grids->level[grids->gathered];
    size_t first[AXES], counts[AXES];
    for (int axis = 0; axis < AXES; axis++) {
        first[axis] = box->points[axis] * (size_t)division_place(division, division->rank, axis);
        counts[axis] = box->points[axis] + 2;
    }
    const size_t from_ghosts[AXES] = {0, 0, 0};
    copy_rows(counts, grids->part.u, rows_of(box, from_ghosts), whole->u,
              rows_of(&whole->box, first));
}

/* -- the cycle --------------------------------------------------------------------------------- */

/** Fields that an operator reads and writes at each point, 8 bytes each. */
enum { RESIDUAL_TOUCHES = 3, CORRECT_TOUCHES = 2, PROLONGATE_TOUCHES = 1, RESTRICT_TOUCHES = 1 };

static inline void touched(const struct multigrid *grids, const struct level *level, size_t flop,
                           size_t touches)
{
    const size_t points = box_points(&level->box);
    worked(grids->cell, flop * points, touches * points * sizeof(double));
}

/* r on the next coarser grid, from r on grid `k`. */
INLINED void go_down(struct multigrid *grids, int k, exchange *fill_ghosts)
{
    const struct level *fine = &grids->level[k], *coarse = level_below(grids, k);
    transfer_restrict(&coarse->box, fine->r, coarse->r);
    touched(grids, coarse, RESTRICT_FLOP, RESTRICT_TOUCHES);
    touched(grids, fine, 0, RESTRICT_TOUCHES);
    if (coarse == &grids->part) {
        gathering_collect(grids);
        coarse = &grids->level[grids->gathered];
    }
    fill_ghosts(grids, coarse, coarse->r);
}

INLINED void smooth(struct multigrid *grids, const struct level *level, exchange *fill_ghosts)
{
    stencil_smooth(&level->box, level->r, grids->class->smoother, level->u);
    touched(grids, level, SMOOTH_FLOP, RESIDUAL_TOUCHES);
    fill_ghosts(grids, level, level->u);
}

INLINED void solve_coarsest(struct multigrid *grids, exchange *fill_ghosts)
{
    const struct level *coarsest = &grids->level[1];
    memset(coarsest->u, 0, box_size(&coarsest->box) * sizeof *coarsest->u);
    smooth(grids, coarsest, fill_ghosts);
}

/* u of the next coarser grid, as the rank needs it on grid `k`. */
INLINED const struct level *coarse_for(struct multigrid *grids, int k)
{
    if (k - 1 == grids->gathered)
        gathering_cut(grids);
    return level_below(grids, k);
}

/* u on grid `k`, from u on the next coarser one. */
INLINED void go_up(struct multigrid *grids, int k, exchange *fill_ghosts)
{
    const struct level *coarse = coarse_for(grids, k), *level = &grids->level[k];
    transfer_prolongate(&coarse->box, coarse->u, level->u);
    touched(grids, level, PROLONGATE_FLOP, PROLONGATE_TOUCHES);
    stencil_subtract(&level->box, level->u, level->r);
    touched(grids, level, RESIDUAL_FLOP, RESIDUAL_TOUCHES);
    fill_ghosts(grids, level, level->r);
    smooth(grids, level, fill_ghosts);
}

INLINED void find_residual(struct multigrid *grids, const struct level *top, exchange *fill_ghosts)
{
    stencil_residual(&top->box, top->u, grids->v, top->r);
    touched(grids, top, RESIDUAL_FLOP, RESIDUAL_TOUCHES);
    fill_ghosts(grids, top, top->r);
}

INLINED void correct_top(struct multigrid *grids, exchange *fill_ghosts)
{
    const struct level *coarse = coarse_for(grids, grids->class->levels);
    const struct level *top = finest_of(grids);
    transfer_correct(&coarse->box, coarse->u, top->u);
    touched(grids, top, CORRECT_FLOP, CORRECT_TOUCHES);
    find_residual(grids, top, fill_ghosts);
    smooth(grids, top, fill_ghosts);
}

INLINED void iterate(struct multigrid *grids, exchange *fill_ghosts)
{
    const int finest = grids->class->levels;
    for (int k = finest; k > 1; k--)
        go_down(grids, k, fill_ghosts);
    solve_coarsest(grids, fill_ghosts);
    for (int k = 2; k < finest; k++)
        go_up(grids, k, fill_ghosts);
    correct_top(grids, fill_ghosts);
    find_residual(grids, finest_of(grids), fill_ghosts);
}

void cycle_by_messages(struct multigrid *grids)
{
    iterate(grids, exchange_by_messages);
}

void cycle_by_puts(struct multigrid *grids)
{
    iterate(grids, exchange_by_puts);
}
