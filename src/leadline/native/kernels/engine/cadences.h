/** The cadences in which the batches of a slice are timed. */
#ifndef LEADLINE_CADENCES_H
#define LEADLINE_CADENCES_H

#include "engine/session.h"

/* -- streaming --------------------------------------------------------------------------------- */

/*
 * The streaming cadence: batches of repetitions back to back. Rank 0 says how many come next,
 * everybody runs them, until the slice is over.
 */

/** Fills `record` with batches for params->slice_ns, the first of them flagged as warm-up. */
void stream_batches(struct session *session, struct record *record);

/* -- isolated ---------------------------------------------------------------------------------- */

/*
 * The isolated cadence: one repetition per sample. All ranks spin to a common deadline, by the
 * clock of rank 0 as far as each knows it ("engine/clocks/clocks.h"), then run it; a rank that
 * comes late, by more than a few clock readings, flags its sample. Windows between deadlines double
 * when more than a quarter are late (Worsch, Reussner and Augustin 2002, SKaMPI).
 */

/** Fills `record` with samples of one repetition each for params->slice_ns. */
void isolate_samples(struct session *session, struct record *record);

#endif
