/** One iteration: a V-cycle over all grids, then the residual of the finest. */
#ifndef LEADLINE_MG_CYCLE_H
#define LEADLINE_MG_CYCLE_H

#include "applications/mg/multigrid.h"

/** Ghosts travel as messages. */
void cycle_by_messages(struct multigrid *grids);

/** Ghosts are put. */
void cycle_by_puts(struct multigrid *grids);

#endif
