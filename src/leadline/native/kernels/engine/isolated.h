/**
 * The isolated cadence: one repetition per sample. All ranks spin to a common deadline, by the
 * clock of rank 0 as far as each knows it ("engine/clocks/clocks.h"), then run it; a rank that
 * comes late, by more than a few clock readings, flags its sample. Windows between deadlines double
 * when more than a quarter are late (Worsch, Reussner and Augustin 2002, SKaMPI).
 */
#ifndef LEADLINE_ISOLATED_H
#define LEADLINE_ISOLATED_H

#include "engine/session.h"

/** Fills `record` with samples of one repetition each for params->slice_ns. */
void isolate_samples(struct session *session, struct record *record);

#endif
