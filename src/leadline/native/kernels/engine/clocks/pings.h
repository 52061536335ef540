/** One clock read from afar: messages go there and back, and bring what it showed. */
#ifndef LEADLINE_CLOCKS_PINGS_H
#define LEADLINE_CLOCKS_PINGS_H

#include "engine/clocks/model.h"

/**
 * Reads the common clock as `peer` knows it, which calls pings_answer meanwhile.
 *
 * Each message's answer was written halfway between sending and receiving, within half the round
 * trip; the quarter with the shortest round trips, whose ways there and back are the most alike,
 * say where the clock stands (Cristian 1989). Takes 16 round trips, up to 64 while they have taken
 * less than 3 ms; up to 256 and 30 ms while none takes less than twice `usual_ns`, the shortest one
 * of earlier readings (0: there are none).
 */
struct reading pings_read(int peer, int64_t usual_ns);

/** Answers `peer` with the common clock as `model` has it. */
void pings_answer(int peer, const struct model *model);

#endif
