#include "applications/stap/detection.h"

/* -- beams ------------------------------------------------------------------------------------- */

/* Of one channel in each turn: `weights` go on by `blocks`. */
static void form(int channels, const struct lanes *restrict weights, size_t blocks,
                 const struct lanes *restrict row, struct powers *restrict powers)
{
    double re[LANES] = {0}, im[LANES] = {0};
    for (int c = 0; c < channels; c++, weights += blocks) {
        const double y_re = row[c / LANES].re[c % LANES], y_im = row[c / LANES].im[c % LANES];
        WRITTEN_OUT
        for (int l = 0; l < LANES; l++) {
            re[l] += weights->re[l] * y_re - weights->im[l] * y_im;
            im[l] += weights->re[l] * y_im + weights->im[l] * y_re;
        }
    }
    for (int l = 0; l < LANES; l++)
        powers->of[l] = re[l] * re[l] + im[l] * im[l];
}

void beams_form(const struct cube *cube, const struct lanes *weights, const struct lanes *row,
                struct powers *powers)
{
    const size_t blocks = cube_blocks(cube);
    for (size_t block = 0; block < blocks; block++)
        form(cube->channels, weights + block, blocks, row, powers + block);
}

size_t beams_flop(const struct cube *cube)
{
    const size_t samples = (size_t)cube->pulses * (size_t)cube->gates * (size_t)cube->channels;
    return samples * (8 * (size_t)cube->channels + 3);
}

/* -- detection --------------------------------------------------------------------------------- */

enum { MARGIN = GUARD + WINDOW };

static size_t gates_with_margins(const struct cube *cube)
{
    return (size_t)cube->gates + 2 * MARGIN;
}

bool detector_make(struct detector *detector, const struct cube *cube)
{
    const size_t count = gates_with_margins(cube) * cube_blocks(cube);
    *detector = (struct detector){
        .cube = cube,
        .powers = calloc(count, sizeof(struct powers)),
        .sums = calloc(count, sizeof(struct powers)),
    };
    return detector->powers && detector->sums;
}

void detector_release(struct detector *detector)
{
    free(detector->powers);
    free(detector->sums);
}

struct powers *detector_powers(const struct detector *detector, int gate)
{
    return detector->powers + (size_t)(MARGIN + gate) * cube_blocks(detector->cube);
}

/* sums[i] = powers[i] + powers[i + apart], in place as well. */
static void add(const struct powers *powers, struct powers *sums, size_t count, size_t apart)
{
    for (size_t i = 0; i < count; i++) {
        const struct powers *one = powers + i, *other = powers + i + apart;
        struct powers sum;
        WRITTEN_OUT
        for (int l = 0; l < LANES; l++)
            sum.of[l] = one->of[l] + other->of[l];
        sums[i] = sum;
    }
}

/* Sums of 2, 4, 8 and 16 gates: nothing is ever subtracted, so that no digit is lost beside a
   target. */
static void sum_windows(const struct detector *detector)
{
    const size_t blocks = cube_blocks(detector->cube);
    size_t count = gates_with_margins(detector->cube) * blocks;
    const struct powers *from = detector->powers;
    for (size_t gates = 1; gates < WINDOW; gates *= 2, from = detector->sums) {
        count -= gates * blocks;
        add(from, detector->sums, count, gates * blocks);
    }
}

static int at_least_0(int count)
{
    return count > 0 ? count : 0;
}

/* Gates within the cube that `gate` is compared with. */
static int surrounding(const struct cube *cube, int gate)
{
    const int before = at_least_0(gate - GUARD),
              behind = at_least_0(cube->gates - 1 - gate - GUARD);
    return (before < WINDOW ? before : WINDOW) + (behind < WINDOW ? behind : WINDOW);
}

/* Statistics of LANES beams, from the power and the sums of the windows on both sides. */
static void compare(const struct powers *restrict power, const struct powers *restrict before,
                    const struct powers *restrict behind, double count,
                    struct powers *restrict statistics)
{
    for (int l = 0; l < LANES; l++)
        statistics->of[l] = power->of[l] * count / (before->of[l] + behind->of[l]);
}

static struct powers statistics_of(const struct detector *detector, int gate, size_t block)
{
    const size_t blocks = cube_blocks(detector->cube);
    const struct powers *before = detector->sums + (size_t)gate * blocks + block;
    struct powers statistics;
    compare(detector_powers(detector, gate) + block, before, before + (MARGIN + GUARD + 1) * blocks,
            surrounding(detector->cube, gate), &statistics);
    return statistics;
}

static void take_larger(struct powers *restrict most, const struct powers *restrict other)
{
    for (int l = 0; l < LANES; l++)
        most->of[l] = most->of[l] > other->of[l] ? most->of[l] : other->of[l];
}

static double largest(const struct powers *powers)
{
    double most = powers->of[0];
    for (int l = 1; l < LANES; l++)
        most = most > powers->of[l] ? most : powers->of[l];
    return most;
}

void detector_compare(const struct detector *detector, double *statistics)
{
    sum_windows(detector);
    for (int gate = 0; gate < detector->cube->gates; gate++) {
        struct powers most = statistics_of(detector, gate, 0);
        for (size_t block = 1; block < cube_blocks(detector->cube); block++) {
            const struct powers other = statistics_of(detector, gate, block);
            take_larger(&most, &other);
        }
        statistics[gate] = largest(&most);
    }
}

int detector_beam(const struct detector *detector, int gate, double statistic)
{
    int beam = -1;
    for (int b = detector->cube->channels - 1; b >= 0; b--)
        if (statistics_of(detector, gate, (size_t)b / LANES).of[b % LANES] == statistic)
            beam = b;
    return beam;
}

size_t detector_flop(const struct cube *cube)
{
    enum {
        EACH = 8
    }; /* four additions to a window, one of two, a product, a quotient, a maximum */
    return EACH * (size_t)cube->pulses * (size_t)cube->gates * (size_t)cube->channels;
}
