/** Messages with gaps: the datatype and the packed copy of them. */
#ifndef LEADLINE_FORMS_H
#define LEADLINE_FORMS_H

#include "engine/params.h"

/**
 * Sets cell->datatype and cell->packed for patterns of a form other than contiguous. Collective.
 * Returns false if the memory can't be had.
 */
bool forms_arrange(const struct params *params, struct cell *cell);

#endif
