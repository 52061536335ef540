/**
 * Detection at a constant rate of false alarms: what is louder than THRESHOLD times the mean of its
 * surroundings, WINDOW gates on each side beyond GUARD ones; those outside of the cube are left
 * out.
 */
#ifndef LEADLINE_STAP_DETECTION_H
#define LEADLINE_STAP_DETECTION_H

#include <stdbool.h>

#include "applications/stap/cube.h"

/* -- beams ------------------------------------------------------------------------------------- */

/* What the antenna hears from each of as many directions as it has channels. */

/** The powers of LANES beams. */
struct powers {
    double of[LANES];
};

/** |w^H y|^2 of all beams: `weights` are [channel] rows of theirs, conjugate; `row` is y. */
void beams_form(const struct cube *cube, const struct lanes *weights, const struct lanes *row,
                struct powers *powers);

/** Operations of a whole cube. */
size_t beams_flop(const struct cube *cube);

/* -- detection --------------------------------------------------------------------------------- */

enum { GUARD = 2, WINDOW = 16, THRESHOLD = 40 };

struct detector {
    const struct cube *cube;
    struct powers *powers; /* [gate] of all beams, a margin of zeros on both sides */
    struct powers *sums;   /* as long: of WINDOW gates from each on */
};

/** True if made; to be released either way. */
bool detector_make(struct detector *detector, const struct cube *cube);
void detector_release(struct detector *detector);

/** Where the powers of a gate are to be written. */
struct powers *detector_powers(const struct detector *detector, int gate);

/** Leaves in `statistics` that of each gate's loudest beam. */
void detector_compare(const struct detector *detector, double *statistics);

/** The beam that has the `statistic` at `gate`. */
int detector_beam(const struct detector *detector, int gate, double statistic);

/** Operations of a whole cube. */
size_t detector_flop(const struct cube *cube);

#endif
