/**
 * The two ways of timing a cell.
 *
 *   streaming  batches of repetitions back to back: rank 0 says how many come next, everybody runs
 *              them, until the slice is over;
 *   isolated   one repetition per sample: all ranks spin to a common deadline, then run it; a rank
 *              that comes late flags its sample. Windows between deadlines double when more than a
 *              quarter are late (Worsch, Reussner and Augustin 2002, SKaMPI).
 */
#ifndef LEADLINE_CADENCE_H
#define LEADLINE_CADENCE_H

#include "channel/batches.h"
#include "engine/params.h"
#include "engine/surroundings.h"

/** One slice under way on this rank. */
struct session {
    const struct params *params;
    const struct cell *cell;
    int participants;
    double clock_cost_ns;
    long repetitions; /* of every batch from now on */
    long position;    /* repetitions run so far: the rings go on where they were */
    struct surroundings *around;
};

/** Repetitions that make a batch of params->batch_ns; the same on all participants. */
long cadence_calibrate(struct session *session);

/** Fills `record` with batches for params->slice_ns, the first of them flagged as warm-up. */
void cadence_streaming(struct session *session, struct record *record);

/** Fills `record` with samples of one repetition each for params->slice_ns. */
void cadence_isolated(struct session *session, struct record *record);

#endif
