/** The two operators between a grid and the next coarser one, whose boxes have half the points. */
#ifndef LEADLINE_MG_TRANSFER_H
#define LEADLINE_MG_TRANSFER_H

#include "applications/mg/box.h"

/** Multiplications and additions: at a coarse point; at a fine one, on average; the same added. */
enum { RESTRICT_FLOP = 24, PROLONGATE_FLOP = 2, CORRECT_FLOP = 3 };

/** Restricts `fine` to `coarse`, without ghosts: weights 1/2, 1/4, 1/8, 1/16 by kind of neighbour.
    `fine` has its upper ghosts at least. */
void transfer_restrict(const struct box *coarse_box, const double *fine, double *coarse);

/** Interpolates `coarse`, which has all its ghosts, to `fine` and its ghosts: trilinearly. */
void transfer_prolongate(const struct box *coarse_box, const double *coarse, double *fine);

/** The same, added to `fine`, whose ghosts were right before. */
void transfer_correct(const struct box *coarse_box, const double *coarse, double *fine);

#endif
