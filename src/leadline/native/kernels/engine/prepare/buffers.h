/** The memory that messages use, and the rings of addresses that say which part is next. */
#ifndef LEADLINE_BUFFERS_H
#define LEADLINE_BUFFERS_H

#include "engine/params.h"

/**
 * Points cell->out and cell->in at memory for messages of the cell, whose shares are arranged,
 * under params->buffers:
 *   echo      one buffer for both (two where the pattern keeps its input);
 *   separate  one buffer each;
 *   cold      rotating in scattered order through cold_bytes each.
 * Those of symmetric patterns lie in symmetric memory, and cell->words too.
 * Collective. Returns false if the memory can't be had.
 */
bool buffers_arrange(const struct params *params, struct cell *cell);

/**
 * Gives back what an application's messages took, which lie apart from all others', unless that is
 * symmetric memory: of all launches that are alive one at a time has room for its problem.
 * Collective.
 */
void buffers_give_back(void);

/** Sets this rank's words to 0; the others see it after a barrier. */
void buffers_clear_words(const struct cell *cell);

#endif
