/** The ring of roots. */
#ifndef LEADLINE_ROOTS_H
#define LEADLINE_ROOTS_H

#include "engine/params.h"

/**
 * Points cell->roots at params->root alone, or, under OPTION_ROOT's "rotating", at all ranks in
 * turn from that one on. The same on all ranks. Returns false if there is no memory for it.
 */
bool roots_arrange(const struct params *params, struct cell *cell);

#endif
