/** Beams: what the antenna hears from each of as many directions as it has channels. */
#ifndef LEADLINE_STAP_BEAMS_H
#define LEADLINE_STAP_BEAMS_H

#include "applications/stap/cube.h"

/** The powers of LANES beams. */
struct powers {
    double of[LANES];
};

/** |w^H y|^2 of all beams: `weights` are [channel] rows of theirs, conjugate; `row` is y. */
void beams_form(const struct cube *cube, const struct lanes *weights, const struct lanes *row,
                struct powers *powers);

/** Operations of a whole cube. */
size_t beams_flop(const struct cube *cube);

#endif
