/** The points of a grid that a rank holds, with a layer of neighbours' points, ghosts, around. */
#ifndef LEADLINE_MG_BOX_H
#define LEADLINE_MG_BOX_H

#include <stdbool.h>
#include <stddef.h>

/* -- points ------------------------------------------------------------------------------------ */

enum { AXES = 3 }; /* x, y, z; x lies side by side in memory */

/** Places along an axis are 0 (ghosts), 1 .. points, points + 1 (ghosts). */
struct box {
    size_t points[AXES];
};

/** From a point to the next along y. */
static inline size_t box_row(const struct box *box)
{
    return box->points[0] + 2;
}

/** From a point to the next along z. */
static inline size_t box_plane(const struct box *box)
{
    return box_row(box) * (box->points[1] + 2);
}

/** Numbers that a field of it has, ghosts included. */
static inline size_t box_size(const struct box *box)
{
    return box_plane(box) * (box->points[2] + 2);
}

/** Points without ghosts. */
static inline size_t box_points(const struct box *box)
{
    return box->points[0] * box->points[1] * box->points[2];
}

/** Where the row of place y, z begins, with its ghost. */
static inline size_t box_at(const struct box *box, size_t y, size_t z)
{
    return z * box_plane(box) + y * box_row(box);
}

/* -- faces ------------------------------------------------------------------------------------- */

/*
 * Layers of a box across an axis, as neighbours exchange them axis by axis: those across y have the
 * ghosts along x, those across z have the ghosts along both, so that edges and corners come with
 * them.
 */

/** Numbers in a layer across `axis`. */
size_t face_size(const struct box *box, int axis);

/** Copies the layer at `place` of `field` to `to`. */
void face_pack(const struct box *box, int axis, size_t place, const double *field, double *to);

/** Copies `from`, as face_pack left it, to the layer at `place` of `field`. */
void face_unpack(const struct box *box, int axis, size_t place, const double *from, double *field);

/** Fills the ghosts at both ends of `axis` from the opposite ends: of a box that has all of it. */
void face_wrap(const struct box *box, int axis, double *field);

/* -- division ---------------------------------------------------------------------------------- */

/* How a grid is divided among ranks: halved along z, y, x, z, ... until each has its box. */

enum { MOST_RANKS = 64 };

struct division {
    int ranks[AXES]; /* along each axis; powers of two, none larger than the next */
    int rank;
};

/** Of `ranks` ranks, a power of two. */
struct division division_of(int rank, int ranks);

/** The level of the grid that has one point for each rank along the axis with the most. */
int division_level(const struct division *division);

/** Whether `ranks` ranks can divide a grid of 2^levels points an axis: a power of two up to
    MOST_RANKS, and two points at least for each rank along every axis. */
bool division_fits(int ranks, int levels);

/** Where `rank` is along `axis`. */
int division_place(const struct division *division, int rank, int axis);

/** The rank `steps` up along `axis` from this one, around the ends. */
int division_neighbour(const struct division *division, int axis, int steps);

/** The box of each rank on grid `level`, at least division_level. */
struct box division_box(const struct division *division, int level);

#endif
