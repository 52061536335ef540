#include "applications/mg/cycle.h"

#include <string.h>

#include "applications/mg/exchange.h"
#include "applications/mg/gathering.h"
#include "applications/mg/stencil.h"
#include "applications/mg/transfer.h"

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
