/**
 * The two operators that work on one grid: 27 points around each, weighted by kind of neighbour.
 * Fields have ghosts; those of what is read must be right, those of what is written may change.
 *
 * Each number is computed by the same operations in the same order wherever its box begins and
 * ends, so that results don't depend on the number of ranks, to the last bit.
 */
#ifndef LEADLINE_MG_STENCIL_H
#define LEADLINE_MG_STENCIL_H

#include "applications/mg/box.h"
#include "applications/mg/classes.h"

/** Multiplications and additions at a point. */
enum { RESIDUAL_FLOP = 13, SMOOTH_FLOP = 15 };

/** r = v - A u, where A is the discrete Laplacian: -8/3, 0, 1/6, 1/12 by centre, faces, edges,
    corners. No two fields overlap. */
void stencil_residual(const struct box *box, const double *u, const double *v, double *r);

/** r = r - A u. */
void stencil_subtract(const struct box *box, const double *u, double *r);

/** u = u + S r. */
void stencil_smooth(const struct box *box, const double *r, struct smoother weights, double *u);

/** The sum of all r^2, without ghosts. */
double stencil_square(const struct box *box, const double *r);

#endif
