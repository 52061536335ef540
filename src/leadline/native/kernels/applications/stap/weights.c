/* Householder's reflections. Above the rows lies the loading, a diagonal: column j of it has one
   element but zero, in row j, which reflections before j leave alone. So each is one of that
   element and the training rows, and no zero is ever computed with. */
#include "applications/stap/weights.h"

#include <math.h>

static const double full_turn = 6.283185307179586476925286766559;

bool weights_make(struct weights *weights, const struct cube *cube)
{
    const size_t channels = (size_t)cube->channels;
    *weights = (struct weights){
        .cube = cube,
        .training = lanes_make(channels * (size_t)cube_depth(cube)),
        .triangle = lanes_make(channels * channels),
        .solution = lanes_make(channels),
        .steering = malloc(2 * channels * sizeof(double)),
        .adapted = lanes_make(LANES * channels * cube_blocks(cube)),
    };
    if (!weights->training || !weights->triangle || !weights->solution || !weights->steering ||
        !weights->adapted)
        return false;
    for (int k = 0; k < cube->channels; k++) {
        weights->steering[k] = cos(full_turn * k / cube->channels);
        weights->steering[cube->channels + k] = sin(full_turn * k / cube->channels);
    }
    return true;
}

void weights_release(struct weights *weights)
{
    free(weights->training);
    free(weights->triangle);
    free(weights->solution);
    free(weights->steering);
    free(weights->adapted);
}

void weights_train(const struct weights *weights, int gate, const struct lanes *const rows[LANES])
{
    const struct cube *cube = weights->cube;
    for (int c = 0; c < cube->channels; c++) {
        struct lanes *sample = weights->training + (size_t)c * (size_t)cube_depth(cube) + gate;
        for (int l = 0; l < LANES; l++) {
            sample->re[l] = rows[l][c / LANES].re[c % LANES];
            sample->im[l] = -rows[l][c / LANES].im[c % LANES];
        }
    }
}

/* |x|^2 of `rows` rows */
static void square(const struct lanes *restrict x, int rows, double *restrict squares)
{
    double sum[LANES] = {0};
    for (int i = 0; i < rows; i++) {
        WRITTEN_OUT
        for (int l = 0; l < LANES; l++)
            sum[l] += x[i].re[l] * x[i].re[l] + x[i].im[l] * x[i].im[l];
    }
    for (int l = 0; l < LANES; l++)
        squares[l] = sum[l];
}

/* x^H a */
static void product(const struct lanes *restrict x, const struct lanes *restrict a, int rows,
                    struct lanes *restrict result)
{
    double re[LANES] = {0}, im[LANES] = {0};
    for (int i = 0; i < rows; i++) {
        WRITTEN_OUT
        for (int l = 0; l < LANES; l++) {
            re[l] += x[i].re[l] * a[i].re[l] + x[i].im[l] * a[i].im[l];
            im[l] += x[i].re[l] * a[i].im[l] - x[i].im[l] * a[i].re[l];
        }
    }
    for (int l = 0; l < LANES; l++) {
        result->re[l] = re[l];
        result->im[l] = im[l];
    }
}

/* a -= s x */
static void subtract(const struct lanes *restrict x, struct lanes *restrict a, int rows,
                     const struct lanes *restrict s)
{
    const struct lanes factor = *s;
    for (int i = 0; i < rows; i++) {
        WRITTEN_OUT
        for (int l = 0; l < LANES; l++) {
            a[i].re[l] -= factor.re[l] * x[i].re[l] - factor.im[l] * x[i].im[l];
            a[i].im[l] -= factor.re[l] * x[i].im[l] + factor.im[l] * x[i].re[l];
        }
    }
}

/* What reflection `j` is made of: I - v v^H / (norm head), v = (head, training column j). The row
   of R is its negative, so that the diagonal is positive. */
struct reflection {
    double head[LANES], scale[LANES];
};

static struct reflection reflect(const struct weights *weights, int j, struct lanes *diagonal)
{
    const int depth = cube_depth(weights->cube);
    const double load = sqrt((double)depth * weights->cube->pulses * 8 / 3);
    struct reflection reflection;
    double squares[LANES];
    square(weights->training + (size_t)j * (size_t)depth, depth, squares);
    for (int l = 0; l < LANES; l++) {
        const double norm = sqrt(load * load + squares[l]);
        reflection.head[l] = load + norm;
        reflection.scale[l] = 1 / (norm * reflection.head[l]);
        diagonal->re[l] = norm;
        diagonal->im[l] = 0;
    }
    return reflection;
}

static void triangulate(const struct weights *weights)
{
    const int channels = weights->cube->channels, depth = cube_depth(weights->cube);
    for (int j = 0; j < channels; j++) {
        const struct lanes *x = weights->training + (size_t)j * (size_t)depth;
        struct lanes *row = weights->triangle + (size_t)(j * channels);
        const struct reflection reflection = reflect(weights, j, row + j);
        for (int k = j + 1; k < channels; k++) {
            struct lanes *a = weights->training + (size_t)k * (size_t)depth, s;
            product(x, a, depth, &s);
            for (int l = 0; l < LANES; l++) {
                s.re[l] *= reflection.scale[l];
                s.im[l] *= reflection.scale[l];
                row[k].re[l] = s.re[l] * reflection.head[l];
                row[k].im[l] = s.im[l] * reflection.head[l];
            }
            subtract(x, a, depth, &s);
        }
    }
}

/* t /= the real diagonal */
static void divide(struct lanes *restrict t, const struct lanes *restrict diagonal)
{
    for (int l = 0; l < LANES; l++) {
        t->re[l] /= diagonal->re[l];
        t->im[l] /= diagonal->re[l];
    }
}

/* rest -= conj(r) t */
static void eliminate(const struct lanes *restrict r, const struct lanes *restrict t,
                      struct lanes *restrict rest, int count)
{
    for (int i = 0; i < count; i++) {
        WRITTEN_OUT
        for (int l = 0; l < LANES; l++) {
            rest[i].re[l] -= r[i].re[l] * t->re[l] + r[i].im[l] * t->im[l];
            rest[i].im[l] -= r[i].re[l] * t->im[l] - r[i].im[l] * t->re[l];
        }
    }
}

/* w -= r w of the channels behind */
static void substitute(const struct lanes *restrict r, const struct lanes *restrict behind,
                       struct lanes *restrict w, int count)
{
    double re[LANES] = {0}, im[LANES] = {0};
    for (int i = 0; i < count; i++) {
        WRITTEN_OUT
        for (int l = 0; l < LANES; l++) {
            re[l] += r[i].re[l] * behind[i].re[l] - r[i].im[l] * behind[i].im[l];
            im[l] += r[i].re[l] * behind[i].im[l] + r[i].im[l] * behind[i].re[l];
        }
    }
    for (int l = 0; l < LANES; l++) {
        w->re[l] -= re[l];
        w->im[l] -= im[l];
    }
}

static void steer(const struct weights *weights, int beam)
{
    const int channels = weights->cube->channels;
    for (int c = 0; c < channels; c++)
        for (int l = 0; l < LANES; l++) {
            weights->solution[c].re[l] = weights->steering[beam * c % channels];
            weights->solution[c].im[l] = weights->steering[channels + beam * c % channels];
        }
}

/* Leaves w in the solution, but for its scale, and the squares of |t|. */
static void solve(const struct weights *weights, int beam, double *squares)
{
    const int channels = weights->cube->channels;
    struct lanes *w = weights->solution;
    steer(weights, beam);
    for (int c = 0; c < channels; c++) {
        const struct lanes *row = weights->triangle + (size_t)(c * channels);
        divide(w + c, row + c);
        eliminate(row + c + 1, w + c, w + c + 1, channels - 1 - c);
    }
    square(w, channels, squares);
    for (int c = channels - 1; c >= 0; c--) {
        const struct lanes *row = weights->triangle + (size_t)(c * channels);
        substitute(row + c + 1, w + c + 1, w + c, channels - 1 - c);
        divide(w + c, row + c);
    }
}

static void keep(const struct weights *weights, int beam, const double *squares)
{
    const struct cube *cube = weights->cube;
    const size_t blocks = cube_blocks(cube), channels = (size_t)cube->channels;
    struct lanes *to = weights->adapted + beam / LANES;
    double scale[LANES];
    for (int l = 0; l < LANES; l++)
        scale[l] = sqrt(cube_depth(cube) / squares[l]);
    for (size_t l = 0; l < LANES; l++)
        for (size_t c = 0; c < channels; c++) {
            struct lanes *weight = to + (l * channels + c) * blocks;
            weight->re[beam % LANES] = weights->solution[c].re[l] * scale[l];
            weight->im[beam % LANES] = -weights->solution[c].im[l] * scale[l];
        }
}

void weights_adapt(const struct weights *weights)
{
    triangulate(weights);
    for (int beam = 0; beam < weights->cube->channels; beam++) {
        double squares[LANES];
        solve(weights, beam, squares);
        keep(weights, beam, squares);
    }
}

size_t weights_flop(const struct cube *cube)
{
    const size_t channels = (size_t)cube->channels, depth = (size_t)cube_depth(cube);
    const size_t decomposition = 8 * depth * channels * channels;
    const size_t solutions = 8 * channels * channels * channels;
    return (size_t)cube->pulses * (size_t)cube->segments * (decomposition + solutions);
}
