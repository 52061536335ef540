/** The cell of a slice, with all that its pattern needs, made before its first repetition. */
#ifndef LEADLINE_PREPARE_CELL_H
#define LEADLINE_PREPARE_CELL_H

#include "engine/params.h"

/**
 * Makes `*cell` for a slice of which the first `participants` ranks take part; collective among all
 * ranks. Each step builds on those before it:
 *   grid      that the ranks lie on;
 *   roots     of successive repetitions;
 *   shares    how long each rank's block is;
 *   forms     how a block lies in memory;
 *   buffers   as many and as long as blocks of that length and form need;
 *   work      beside the operation, as long as it takes with all of that; participants alone.
 * Returns what stands against the slice, in words; NULL: nothing.
 */
const char *cell_prepare(const struct params *params, int participants, struct cell *cell);

#endif
