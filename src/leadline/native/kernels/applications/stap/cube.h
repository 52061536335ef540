/**
 * What an antenna of some channels took in: after each pulse the echoes of some distances, called
 * gates. Our own workload in the manner of space-time adaptive processing; as many Doppler bins as
 * pulses, as many beams as channels.
 *
 * A row is what all channels have of one gate and one pulse (or bin): `cube_blocks` lanes.
 */
#ifndef LEADLINE_STAP_CUBE_H
#define LEADLINE_STAP_CUBE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* -- lanes ------------------------------------------------------------------------------------- */

/*
 * Complex numbers side by side, real parts apart from imaginary ones. A loop over the LANES of them
 * is one that compilers make a few instructions of, and as each lane is computed as if it were
 * alone, what comes out doesn't depend on how many the processor takes at once.
 */

enum { LANES = 8 };

/** Before a loop over them inside of another: all of it is written out, so that what it adds up
    stays in registers. */
#if defined __GNUC__ && !defined __clang__
#define WRITTEN_OUT _Pragma("GCC unroll 4")
#else
#define WRITTEN_OUT
#endif

struct lanes {
    double re[LANES], im[LANES];
};

/** Memory for `count` of them, on whole cache lines, all zero; NULL where there is none. */
static inline struct lanes *lanes_make(size_t count)
{
    const size_t bytes = (count > 0 ? count : 1) * sizeof(struct lanes);
    struct lanes *lanes = aligned_alloc(sizeof *lanes, bytes);
    for (size_t i = 0; lanes && i < count; i++)
        lanes[i] = (struct lanes){0};
    return lanes;
}

/* -- cube -------------------------------------------------------------------------------------- */

/** A target as it is found: where, and its power over that of its surroundings. */
struct detection {
    int64_t beam, bin, gate;
    double statistic;
};

struct cube {
    const char *name;
    int channels; /* a multiple of LANES */
    int pulses;   /* a power of two */
    int gates;
    int segments; /* of gates, each of which has weights of its own */
    int targets;
    uint64_t checksum;                /* of the input: see scene.h */
    const struct detection *detected; /* [target] what must be found, by bin */
    double largest_other;             /* statistic, where there is no target */
};

/** By the words of the option: small, medium, large. */
extern const struct cube cubes[];
extern const int cube_count;

/** What one of `ranks` ranks owns before the corner turn, and after it. */
struct part {
    const struct cube *cube;
    int rank, ranks;
    int first_gate, gates; /* before: these, of all pulses */
    int first_bin, bins;   /* after: these, of all gates */
};

struct part part_of(const struct cube *cube, int rank, int ranks);

static inline size_t cube_blocks(const struct cube *cube)
{
    return (size_t)cube->channels / LANES;
}

/** Gates of a segment. */
static inline int cube_depth(const struct cube *cube)
{
    return cube->gates / cube->segments;
}

/** Where item `rank` of `ranks` nearly equal shares of `total` begins. */
static inline int share_begin(int total, int rank, int ranks)
{
    return (int)((int64_t)total * rank / ranks);
}

/** The most that one of them has. */
static inline size_t share_most(int total, int ranks)
{
    return (size_t)((total + ranks - 1) / ranks);
}

#endif
