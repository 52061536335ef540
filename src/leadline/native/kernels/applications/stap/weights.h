/**
 * Adaptive weights: for each Doppler bin and segment those that let a beam's signal through and
 * suppress what the segment beside it has, by a QR decomposition of that one's rows, loaded by
 * noise. LANES such problems are solved side by side.
 *
 *   A = the conjugate rows, on top of sqrt(depth * pulses * 8/3) I;   A = Q R;
 *   R^H t = steering vector,   R w = t,   w scaled by sqrt(depth) / |t|
 */
#ifndef LEADLINE_STAP_WEIGHTS_H
#define LEADLINE_STAP_WEIGHTS_H

#include <stdbool.h>

#include "applications/stap/cube.h"

struct weights {
    const struct cube *cube;
    struct lanes *training; /* [channel][gate of the segment]; spoiled by weights_adapt */
    struct lanes *triangle; /* [channel][channel]: R, whose diagonal is real */
    struct lanes *solution; /* [channel] of one beam */
    double *steering;       /* [channels] twice: exp(2 pi i k / channels), its parts apart */
    struct lanes *adapted;  /* [problem][channel] a row of all beams, conjugate */
};

/** True if made; to be released either way. */
bool weights_make(struct weights *weights, const struct cube *cube);
void weights_release(struct weights *weights);

/** Sets the rows that problems are trained on: `rows[problem]` is the row of `gate`. */
void weights_train(const struct weights *weights, int gate, const struct lanes *const rows[LANES]);

/** Solves all problems, once they have all rows: their weights are found by weights_of. */
void weights_adapt(const struct weights *weights);

/** [channel] rows of all beams' weights, conjugate. */
static inline const struct lanes *weights_of(const struct weights *weights, int problem)
{
    const struct cube *cube = weights->cube;
    return weights->adapted + (size_t)(problem * cube->channels) * cube_blocks(cube);
}

/** Operations of a whole cube. */
size_t weights_flop(const struct cube *cube);

#endif
