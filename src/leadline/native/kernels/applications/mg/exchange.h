/** Ghosts: from this rank's other end along undivided axes, then from neighbours, axis by axis. */
#ifndef LEADLINE_MG_EXCHANGE_H
#define LEADLINE_MG_EXCHANGE_H

#include "applications/mg/box.h"
#include "applications/mg/multigrid.h"

/** Fills the ghosts of `field`, one of `level`. */
typedef void exchange(struct multigrid *grids, const struct level *level, double *field);

/** By messages that are under way together along each axis. */
void exchange_by_messages(struct multigrid *grids, const struct level *level, double *field);

/**
 * By puts with flags. A face lands in one of two places in turn, each with its flag: who has the
 * neighbour's flag of this turn knows that it has taken in the face of the turn before, whose place
 * is then put to in the next.
 */
void exchange_by_puts(struct multigrid *grids, const struct level *level, double *field);

#endif
