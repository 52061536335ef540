/**
 * The streaming cadence: batches of repetitions back to back. Rank 0 says how many come next,
 * everybody runs them, until the slice is over.
 */
#ifndef LEADLINE_STREAMING_H
#define LEADLINE_STREAMING_H

#include "engine/session.h"

/** Fills `record` with batches for params->slice_ns, the first of them flagged as warm-up. */
void stream_batches(struct session *session, struct record *record);

#endif
