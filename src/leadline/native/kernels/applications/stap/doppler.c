/* Decimation in frequency, two by two: natural order in, bits reversed out. The channels of a row
   lie side by side, so that one butterfly is one of all of them. */
#include "applications/stap/doppler.h"

#include <math.h>

static const double full_turn = 6.283185307179586476925286766559;

static int bits_reversed(int place, int pulses)
{
    int reversed = 0;
    for (int bit = 1; bit < pulses; bit *= 2, place /= 2)
        reversed = 2 * reversed + place % 2;
    return reversed;
}

bool doppler_make(struct doppler *doppler, const struct cube *cube)
{
    const size_t pulses = (size_t)cube->pulses;
    *doppler = (struct doppler){
        .pulses = cube->pulses,
        .blocks = cube_blocks(cube),
        .work = lanes_make(pulses * cube_blocks(cube)),
        .cosine = malloc(pulses / 2 * sizeof(double)),
        .sine = malloc(pulses / 2 * sizeof(double)),
        .bin = malloc(pulses * sizeof(int)),
    };
    if (!doppler->work || !doppler->cosine || !doppler->sine || !doppler->bin)
        return false;
    for (int i = 0; i < cube->pulses / 2; i++) {
        doppler->cosine[i] = cos(full_turn * i / cube->pulses);
        doppler->sine[i] = -sin(full_turn * i / cube->pulses);
    }
    for (int i = 0; i < cube->pulses; i++)
        doppler->bin[i] = bits_reversed(i, cube->pulses);
    return true;
}

void doppler_release(struct doppler *doppler)
{
    free(doppler->work);
    free(doppler->cosine);
    free(doppler->sine);
    free(doppler->bin);
}

/* sum = a + b, turned = (a - b) (cosine + i sine) */
static void butterfly(size_t blocks, const struct lanes *restrict a, const struct lanes *restrict b,
                      struct lanes *restrict sum, struct lanes *restrict turned, double cosine,
                      double sine)
{
    for (size_t block = 0; block < blocks; block++, a++, b++, sum++, turned++) {
        WRITTEN_OUT
        for (int l = 0; l < LANES; l++) {
            const double re = a->re[l] - b->re[l], im = a->im[l] - b->im[l];
            sum->re[l] = a->re[l] + b->re[l];
            sum->im[l] = a->im[l] + b->im[l];
            turned->re[l] = re * cosine - im * sine;
            turned->im[l] = re * sine + im * cosine;
        }
    }
}

/* The same in place. */
static void butterfly_in_place(size_t blocks, struct lanes *restrict a, struct lanes *restrict b,
                               double cosine, double sine)
{
    for (size_t block = 0; block < blocks; block++, a++, b++) {
        WRITTEN_OUT
        for (int l = 0; l < LANES; l++) {
            const double re = a->re[l] - b->re[l], im = a->im[l] - b->im[l];
            a->re[l] += b->re[l];
            a->im[l] += b->im[l];
            b->re[l] = re * cosine - im * sine;
            b->im[l] = re * sine + im * cosine;
        }
    }
}

static void first_pass(const struct doppler *doppler, const struct lanes *from)
{
    const size_t blocks = doppler->blocks, half = (size_t)doppler->pulses / 2 * blocks;
    for (int j = 0; j < doppler->pulses / 2; j++) {
        const size_t at = (size_t)j * blocks;
        butterfly(blocks, from + at, from + half + at, doppler->work + at,
                  doppler->work + half + at, doppler->cosine[j], doppler->sine[j]);
    }
}

static void pass_in_place(const struct doppler *doppler, int half)
{
    const size_t blocks = doppler->blocks;
    const int step = doppler->pulses / 2 / half;
    for (int first = 0; first < doppler->pulses; first += 2 * half)
        for (int j = 0; j < half; j++) {
            struct lanes *a = doppler->work + (size_t)(first + j) * blocks;
            butterfly_in_place(blocks, a, a + (size_t)half * blocks, doppler->cosine[j * step],
                               doppler->sine[j * step]);
        }
}

static void last_pass(const struct doppler *doppler, struct lanes *to, size_t stride)
{
    const size_t blocks = doppler->blocks;
    for (int j = 0; j < doppler->pulses; j += 2) {
        const struct lanes *a = doppler->work + (size_t)j * blocks;
        butterfly(blocks, a, a + blocks, to + (size_t)doppler->bin[j] * stride,
                  to + (size_t)doppler->bin[j + 1] * stride, 1, 0);
    }
}

void doppler_filter(const struct doppler *doppler, const struct lanes *from, struct lanes *to,
                    size_t stride)
{
    first_pass(doppler, from);
    for (int half = doppler->pulses / 4; half > 1; half /= 2)
        pass_in_place(doppler, half);
    last_pass(doppler, to, stride);
}

size_t doppler_flop(const struct cube *cube)
{
    size_t passes = 0;
    for (int pulses = cube->pulses; pulses > 1; pulses /= 2)
        passes++;
    return 5 * passes * (size_t)cube->pulses * (size_t)cube->channels * (size_t)cube->gates;
}
