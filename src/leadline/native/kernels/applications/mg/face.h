/**
 * Layers of a box across an axis, as neighbours exchange them axis by axis: those across y have the
 * ghosts along x, those across z have the ghosts along both, so that edges and corners come with
 * them.
 */
#ifndef LEADLINE_MG_FACE_H
#define LEADLINE_MG_FACE_H

#include "applications/mg/box.h"

/** Numbers in a layer across `axis`. */
size_t face_size(const struct box *box, int axis);

/** Copies the layer at `place` of `field` to `to`. */
void face_pack(const struct box *box, int axis, size_t place, const double *field, double *to);

/** Copies `from`, as face_pack left it, to the layer at `place` of `field`. */
void face_unpack(const struct box *box, int axis, size_t place, const double *from, double *field);

/** Fills the ghosts at both ends of `axis` from the opposite ends: of a box that has all of it. */
void face_wrap(const struct box *box, int axis, double *field);

#endif
