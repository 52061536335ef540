#include "applications/stap/beams.h"

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
