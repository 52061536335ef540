/** Placements of a grid's vertices on ranks, kept by their numbers for the launch's life. */
#ifndef LEADLINE_PLACEMENTS_H
#define LEADLINE_PLACEMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "patterns/pattern.h"

/**
 * Obeys a piece of a placement, "placement id=7 number=K ranks=N first=F slots=3,1,...": the ranks
 * of F vertices came before. Says "placed id=7 rank=R" after the last piece, or, once and as soon
 * as it is clear, "refused id=7 rank=R WHY" where the pieces aren't consecutive or the slots no
 * permutation of the job's ranks. Returns false if `line` is no such command.
 */
bool placements_obey(const char *line);

/** Refuses the placement of which not all pieces came before another command. */
void placements_end(void);

/** Sets *placement to that of `number`, where 0 is the identity; false: there is none. */
bool placements_find(int64_t number, struct placement *placement);

#endif
