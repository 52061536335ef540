/** How much is computed beside a non-blocking operation. */
#ifndef LEADLINE_WORK_H
#define LEADLINE_WORK_H

#include "engine/params.h"

/**
 * Sets cell->work, where the pattern takes OPTION_OVERLAP: computation for about the time of
 * OPTION_WORK, or where that isn't given for as long as the operation takes alone; the amount is
 * measured when the launch first needs it and kept for its life, so that cells that are compared
 * compute equally much. Collective among the participants, who all compute as much.
 */
void work_arrange(const struct params *params, struct cell *cell, int participants);

#endif
