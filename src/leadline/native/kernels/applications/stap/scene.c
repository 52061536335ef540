#include "applications/stap/scene.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Streams of random numbers. */
enum { NOISE = 1, CLUTTER = 2, JAMMERS = 3 };
enum { JAMMER_COUNT = 2, CYCLE = 4096, LOUDER = 32, LEVELS = 4 };

static const double scale = 0x1p-27;
static const double full_turn = 6.283185307179586476925286766559;

/* A complex whole number. */
struct whole {
    int64_t re, im;
};

/* What the samples of a gate are made of; phasors are of length CYCLE. */
struct scene {
    const struct cube *cube;
    struct whole *clutter;                   /* [pulse] of the gate at hand */
    struct whole *jammed[JAMMER_COUNT];      /* [pulse] of the gate at hand */
    struct whole *from_jammer[JAMMER_COUNT]; /* [channel] phasors */
    struct whole *around;                    /* [channels * pulses] a full turn */
};

/* The output function of SplitMix64 (Steele, Lea and Flood 2014). */
static uint64_t hash(uint64_t stream, uint64_t index)
{
    uint64_t z = stream + (index + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Nearly normal: four numbers of 16 bits less their mean. */
static int64_t normal(uint64_t stream, uint64_t index)
{
    const uint64_t h = hash(stream, index);
    const uint64_t sum = (h & 0xffff) + (h >> 16 & 0xffff) + (h >> 32 & 0xffff) + (h >> 48);
    return (int64_t)sum - 131070;
}

static struct whole normal_pair(uint64_t stream, uint64_t index)
{
    return (struct whole){normal(stream, 2 * index), normal(stream, 2 * index + 1)};
}

static struct whole times(struct whole a, struct whole b)
{
    return (struct whole){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static struct whole phasor(int64_t steps, int64_t turn)
{
    const double angle = full_turn * (double)(steps % turn) / (double)turn;
    return (struct whole){(int64_t)rint(CYCLE * cos(angle)), (int64_t)rint(CYCLE * sin(angle))};
}

/* Whence jammer `q` comes, in half beams. */
static int jammer_angle(const struct cube *cube, int q)
{
    return q == 0 ? 2 * (cube->channels / 4) + 1 : 2 * (5 * cube->channels / 8) + 1;
}

/* How far apart two angles are, in beams, around the circle of `channels` of them. */
static double apart(double one, double other, int channels)
{
    const double way = fmod(one - other + channels, channels);
    return way < channels - way ? way : channels - way;
}

static bool is_clear(const struct cube *cube, int beam, int bin)
{
    const double ridge = (double)bin * cube->channels / cube->pulses;
    bool clear = apart(beam, ridge, cube->channels) >= 2;
    for (int q = 0; q < JAMMER_COUNT; q++)
        clear = clear && apart(beam, jammer_angle(cube, q) / 2.0, cube->channels) >= 1.5;
    return clear;
}

/* The clear beam of number `index`, counted around, for a target in `bin`. */
static int clear_beam(const struct cube *cube, int bin, int index)
{
    int count = 0, found = -1;
    for (int beam = 0; beam < cube->channels; beam++)
        count += is_clear(cube, beam, bin);
    for (int beam = 0, left = index % count; beam < cube->channels && found < 0; beam++)
        if (is_clear(cube, beam, bin) && left-- == 0)
            found = beam;
    return found;
}

struct target scene_target(const struct cube *cube, int index)
{
    const int spacing = cube->gates / cube->targets;
    const int bin = index * (cube->pulses / cube->targets) + 1 + index % 3;
    const double noise = 400.0 * 2 * 65536 * 65536 / 3 / (cube->channels * cube->pulses);
    int gate = index * spacing + 29 * index % spacing;
    if (index == 0)
        gate = 1;
    else if (index == cube->targets - 1)
        gate = cube->gates - 2;
    return (struct target){
        .beam = clear_beam(cube, bin, 7 * index),
        .bin = bin,
        .gate = gate,
        .amplitude = (int64_t)rint(sqrt(noise) * pow(10, 3 * (index % LEVELS) / 20.0)),
    };
}

static void release(struct scene *scene)
{
    free(scene->clutter);
    free(scene->around);
    for (int q = 0; q < JAMMER_COUNT; q++) {
        free(scene->jammed[q]);
        free(scene->from_jammer[q]);
    }
}

static struct whole *wholes(int count)
{
    return malloc((size_t)count * sizeof(struct whole));
}

static bool make(struct scene *scene, const struct cube *cube)
{
    const int turn = cube->channels * cube->pulses;
    *scene = (struct scene){.cube = cube};
    scene->clutter = wholes(cube->pulses);
    scene->around = wholes(turn);
    bool made = scene->clutter && scene->around;
    for (int q = 0; q < JAMMER_COUNT; q++) {
        scene->jammed[q] = wholes(cube->pulses);
        scene->from_jammer[q] = wholes(cube->channels);
        made = made && scene->jammed[q] && scene->from_jammer[q];
    }
    for (int i = 0; made && i < turn; i++)
        scene->around[i] = phasor(i, turn);
    for (int q = 0; made && q < JAMMER_COUNT; q++)
        for (int c = 0; c < cube->channels; c++)
            scene->from_jammer[q][c] =
                phasor((int64_t)jammer_angle(cube, q) * c, 2 * cube->channels);
    return made;
}

static void set_gate(struct scene *scene, int gate)
{
    const struct cube *cube = scene->cube;
    const int pulses = cube->pulses;
    for (int n = 0; n < pulses; n++) {
        scene->clutter[n] = normal_pair(CLUTTER, (uint64_t)gate * (uint64_t)pulses + (uint64_t)n);
        for (int q = 0; q < JAMMER_COUNT; q++) {
            const uint64_t moment = (uint64_t)(q * cube->gates + gate) * (uint64_t)pulses;
            scene->jammed[q][n] = normal_pair(JAMMERS, moment + (uint64_t)n);
        }
    }
}

/* All but the targets. */
static struct whole background(const struct scene *scene, int gate, int n, int c)
{
    const struct cube *cube = scene->cube;
    const uint64_t row = (uint64_t)gate * (uint64_t)cube->pulses + (uint64_t)n;
    const struct whole noise = normal_pair(NOISE, row * (uint64_t)cube->channels + (uint64_t)c);
    const struct whole clutter = scene->clutter[(n + c) % cube->pulses];
    struct whole sum = {CYCLE * (noise.re + LOUDER * clutter.re),
                        CYCLE * (noise.im + LOUDER * clutter.im)};
    for (int q = 0; q < JAMMER_COUNT; q++) {
        const struct whole jammed = times(scene->jammed[q][n], scene->from_jammer[q][c]);
        sum.re += LOUDER * jammed.re;
        sum.im += LOUDER * jammed.im;
    }
    return sum;
}

static void set_sample(struct lanes *row, int c, struct whole sample)
{
    row[c / LANES].re[c % LANES] = (double)sample.re * scale;
    row[c / LANES].im[c % LANES] = (double)sample.im * scale;
}

static struct whole with_target(const struct scene *scene, struct whole sample,
                                const struct target *target, int n, int c)
{
    const int64_t channels = scene->cube->channels, pulses = scene->cube->pulses;
    const int64_t steps = (int64_t)target->beam * c * pulses + (int64_t)target->bin * n * channels;
    const struct whole phase = scene->around[steps % (channels * pulses)];
    sample.re += target->amplitude * phase.re;
    sample.im += target->amplitude * phase.im;
    return sample;
}

static void take_gate(struct scene *scene, int gate, const struct target *target,
                      struct lanes *rows)
{
    const struct cube *cube = scene->cube;
    set_gate(scene, gate);
    for (int n = 0; n < cube->pulses; n++)
        for (int c = 0; c < cube->channels; c++) {
            struct whole sample = background(scene, gate, n, c);
            if (target)
                sample = with_target(scene, sample, target, n, c);
            set_sample(rows + (size_t)n * cube_blocks(cube), c, sample);
        }
}

/* True if `gate` has one; no gate has two. */
static bool target_at(const struct cube *cube, int gate, struct target *target)
{
    bool found = false;
    for (int t = 0; t < cube->targets && !found; t++) {
        *target = scene_target(cube, t);
        found = target->gate == gate;
    }
    return found;
}

static size_t lanes_of_gate(const struct cube *cube)
{
    return (size_t)cube->pulses * cube_blocks(cube);
}

bool scene_take(const struct part *part, struct lanes *rows)
{
    struct scene scene;
    const bool made = make(&scene, part->cube);
    for (int i = 0; made && i < part->gates; i++) {
        struct target target;
        const bool planted = target_at(part->cube, part->first_gate + i, &target);
        take_gate(&scene, part->first_gate + i, planted ? &target : NULL,
                  rows + (size_t)i * lanes_of_gate(part->cube));
    }
    release(&scene);
    return made;
}

uint64_t scene_checksum(const struct part *part, const struct lanes *rows)
{
    const size_t count = (size_t)part->gates * lanes_of_gate(part->cube);
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        for (int l = 0; l < LANES; l++) {
            const int64_t re = (int64_t)(rows[i].re[l] / scale),
                          im = (int64_t)(rows[i].im[l] / scale);
            sum += ((uint64_t)re * UINT64_C(0xBF58476D1CE4E5B9)) ^
                   ((uint64_t)im * UINT64_C(0x94D049BB133111EB));
        }
    return sum;
}
