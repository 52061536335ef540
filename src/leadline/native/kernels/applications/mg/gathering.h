/** The coarsest divided grid, gathered on every rank and cut into boxes again. */
#ifndef LEADLINE_MG_GATHERING_H
#define LEADLINE_MG_GATHERING_H

#include "applications/mg/multigrid.h"

/** r of that grid, on every rank, from r of all parts; without ghosts. Collective. */
void gathering_collect(struct multigrid *grids);

/** u of the part with its ghosts, from u of the grid with its own. */
void gathering_cut(struct multigrid *grids);

#endif
