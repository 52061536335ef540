/**
 * A rank's part of the multigrid solution of A u = v on a periodic cube: its fields on every grid.
 *
 * Grids down to one point for each rank along the axis with the most are divided into boxes. From
 * there on every rank has all of the grid, and does all of the work: r is gathered once in each
 * cycle. A job of one rank has all of every grid.
 */
#ifndef LEADLINE_MG_MULTIGRID_H
#define LEADLINE_MG_MULTIGRID_H

#include "applications/mg/box.h"
#include "applications/mg/classes.h"

/** Fields on a grid. */
struct level {
    struct box box;
    bool divided; /* neighbours have the ghosts */
    double *u, *r;
};

/** Which end of a box along an axis. */
enum end { LOWER, UPPER, ENDS };

/** Faces are kept apart by two turns, so that those of one are left alone during the next. */
enum { TURNS = 2 };

/** Where faces lie on their way, the same on every rank. */
struct faces {
    double *out, *in;
    size_t start[AXES], size[AXES]; /* by axis, in numbers */
};

struct multigrid {
    const struct cell *cell;
    const struct grid_class *class;
    struct division division;
    int gathered; /* grids 1 .. gathered are whole on every rank; 0: all grids of the only rank */
    struct level level[MOST_LEVELS + 1]; /* from 1 on */
    struct level part;                   /* this rank's box of grid `gathered` */
    double *v;                           /* on the finest grid */
    double *fields;                      /* the memory of all of these */
    struct faces faces;
    double *gathering, *blocks;  /* the part's r, and that of all ranks */
    double *own_square, *square; /* of the residual, on this rank and on all */
    struct charge charges[CHARGES];
};

/** Bytes of a ring's only message, the same on all of `ranks` ranks: it has room for all that is
   sent before it is sent again. */
size_t multigrid_ring_bytes(const struct grid_class *class, int ranks);

/** Bytes of all fields of a rank, one of `ranks`. */
size_t multigrid_bytes(const struct grid_class *class, int ranks);

/** Makes `grids` the fields of `class` for the ranks of `cell`, whose rings have room for the
   faces; false: there is no memory for them. Another than the last needs multigrid_end before. */
bool multigrid_begin(struct multigrid *grids, const struct grid_class *class,
                     const struct cell *cell);

/** Gives their memory back, if they have any. */
void multigrid_end(struct multigrid *grids);

/** Starts anew: u = 0, r = v. */
void multigrid_anew(struct multigrid *grids);

/** sqrt(sum r^2 / points) of the finest grid, on every rank; collective. */
double multigrid_norm(const struct multigrid *grids);

/** The next coarser grid, as a rank has it that leaves or comes to grid `level`, 2 at least. */
static inline struct level *level_below(struct multigrid *grids, int level)
{
    return level - 1 == grids->gathered ? &grids->part : &grids->level[level - 1];
}

static inline const struct level *finest_of(const struct multigrid *grids)
{
    return &grids->level[grids->class->levels];
}

#endif
