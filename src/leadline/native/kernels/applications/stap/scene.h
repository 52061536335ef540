/**
 * What the antenna looks at: noise, ground clutter whose Doppler shift comes from its angle, two
 * jammers, and targets. Every sample is a whole number times 2^-27, from integers alone, so that
 * all machines have the same ones, bit by bit.
 */
#ifndef LEADLINE_STAP_SCENE_H
#define LEADLINE_STAP_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "applications/stap/cube.h"

/** A point target: one in a Doppler bin, away from clutter and jammers. */
struct target {
    int beam, bin, gate;
    int64_t amplitude;
};

struct target scene_target(const struct cube *cube, int index);

/** Writes the samples of the part's gates to `rows`, [gate][pulse] rows; false without memory. */
bool scene_take(const struct part *part, struct lanes *rows);

/**
 * The sum of (re * 0xBF58476D1CE4E5B9) xor (im * 0x94D049BB133111EB) over the whole numbers that
 * the samples in `rows` are, modulo 2^64; the sum over all parts is the cube's checksum.
 */
uint64_t scene_checksum(const struct part *part, const struct lanes *rows);

#endif
