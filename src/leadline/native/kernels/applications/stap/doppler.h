/** Doppler filtering: a Fourier transform over the pulses of each gate. */
#ifndef LEADLINE_STAP_DOPPLER_H
#define LEADLINE_STAP_DOPPLER_H

#include <stdbool.h>

#include "applications/stap/cube.h"

struct doppler {
    int pulses;
    size_t blocks;      /* lanes of a row */
    struct lanes *work; /* [pulse] rows, of one gate */
    double *cosine;     /* [pulses / 2] exp(-2 pi i k / pulses) */
    double *sine;
    int *bin; /* [pulse] the bin that ends there */
};

/** True if made; to be released either way. */
bool doppler_make(struct doppler *doppler, const struct cube *cube);
void doppler_release(struct doppler *doppler);

/** Transforms [pulse] rows at `from`; the row of bin d is written to `to` + d * `stride`. */
void doppler_filter(const struct doppler *doppler, const struct lanes *from, struct lanes *to,
                    size_t stride);

/** Operations of a whole cube. */
size_t doppler_flop(const struct cube *cube);

#endif
