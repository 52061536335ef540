/**
 * The STAP pipeline on one rank and one thread over FFTW and LAPACK, what the kernel's own loops
 * are held to. Linked into a kernel as its extra pattern, it takes turns with "stap" there. The
 * scene is the kernel's, and so is the detector, for which there is no library.
 */
#pragma GCC optimize("O3") /* as applications are compiled */

#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <string.h>

#include "applications/stap/detection.h"
#include "applications/stap/scene.h"
#include "patterns/pattern.h"

typedef double complex number;

/* Fortran's, with the lengths of their words behind. */
void zgeqrf_(const int *rows, const int *columns, number *a, const int *lda, number *tau,
             number *work, const int *room, int *info);
void ztrsm_(const char *side, const char *upper, const char *conjugate, const char *unit,
            const int *rows, const int *columns, const number *alpha, const number *a,
            const int *lda, number *b, const int *ldb, size_t, size_t, size_t, size_t);
void zgemm_(const char *a_is, const char *b_is, const int *rows, const int *columns,
            const int *inner, const number *alpha, const number *a, const int *lda, const number *b,
            const int *ldb, const number *beta, number *c, const int *ldc, size_t, size_t);

enum { MOST_CHANNELS = 32, ROOM = 64 * MOST_CHANNELS }; /* for LAPACK: its blocks' columns */

static const struct cube *cube;
static int channels, rows; /* of a row, and of the matrix decomposed */
static number *input, *turned, *steering, *matrix, *weights, *beams;
static struct detector detector;
static double *statistics;
static fftw_plan filter;

static size_t samples(void)
{
    return (size_t)cube->gates * (size_t)cube->pulses * (size_t)channels;
}

/* From the kernel's lanes to what libraries know. */
static bool take_scene(void)
{
    const struct part part = part_of(cube, 0, 1);
    struct lanes *taken = lanes_make(samples() / LANES);
    const bool made = taken && scene_take(&part, taken);
    for (size_t i = 0; made && i < samples(); i++)
        input[i] = CMPLX(taken[i / LANES].re[i % LANES], taken[i / LANES].im[i % LANES]);
    free(taken);
    return made;
}

/* Over the pulses of each gate and channel, from [gate][pulse][channel] to [bin][gate][channel]. */
static void plan(void)
{
    const int row = channels, plane = cube->gates * channels;
    const fftw_iodim over = {cube->pulses, row, plane};
    const fftw_iodim each[] = {{cube->gates, cube->pulses * row, row}, {channels, 1, 1}};
    filter = fftw_plan_guru_dft(1, &over, 2, each, input, turned, FFTW_FORWARD, FFTW_PATIENT);
}

static const char *prepare(const struct cell *cell)
{
    cube = &cubes[cell->chosen[OPTION_CUBE]];
    channels = cube->channels;
    rows = cube_depth(cube) + channels;
    input = fftw_alloc_complex(samples());
    turned = fftw_alloc_complex(samples());
    steering = fftw_alloc_complex((size_t)(channels * channels));
    weights = fftw_alloc_complex((size_t)(channels * channels));
    matrix = fftw_alloc_complex((size_t)(rows * channels));
    beams = fftw_alloc_complex((size_t)(cube_depth(cube) * channels));
    statistics = calloc((size_t)cube->pulses * (size_t)cube->gates, sizeof *statistics);
    if (cell->ranks > 1)
        return "it is for one rank";
    if (!input || !turned || !steering || !weights || !matrix || !beams || !statistics ||
        !detector_make(&detector, cube))
        return "no memory";
    for (int b = 0; b < channels; b++)
        for (int c = 0; c < channels; c++)
            steering[b * channels + c] = cexp(2 * acos(-1.0) * I * (b * c % channels) / channels);
    plan(); /* before the input: plans are tried on it */
    return take_scene() ? NULL : "no memory";
}

static void end(const struct cell *cell)
{
    number *const made[] = {input, turned, steering, weights, matrix, beams};
    (void)cell;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        fftw_free(made[i]);
    free(statistics);
    detector_release(&detector);
    fftw_destroy_plan(filter);
}

/* The rows of a segment, conjugate, on top of the loading; by columns. */
static void set_matrix(const number *segment)
{
    const int depth = cube_depth(cube);
    const double load = sqrt((double)depth * cube->pulses * 8 / 3);
    for (int c = 0; c < channels; c++) {
        number *column = matrix + c * rows;
        for (int i = 0; i < depth; i++)
            column[i] = conj(segment[i * channels + c]);
        for (int i = 0; i < channels; i++)
            column[depth + i] = i == c ? load : 0;
    }
}

static void triangular(const char *conjugate)
{
    const number one = 1;
    ztrsm_("L", "U", conjugate, "N", &channels, &channels, &one, matrix, &rows, weights, &channels,
           1, 1, 1, 1);
}

static void adapt(const number *segment)
{
    static number tau[ROOM], work[ROOM];
    const int room = ROOM;
    double scale[MOST_CHANNELS];
    int info;
    set_matrix(segment);
    zgeqrf_(&rows, &channels, matrix, &rows, tau, work, &room, &info);
    memcpy(weights, steering, (size_t)(channels * channels) * sizeof *weights);
    triangular("C");
    for (int b = 0; b < channels; b++) {
        double squares = 0;
        for (int c = 0; c < channels; c++) {
            const number t = weights[b * channels + c];
            squares += creal(t) * creal(t) + cimag(t) * cimag(t);
        }
        scale[b] = sqrt(cube_depth(cube) / squares);
    }
    triangular("N");
    for (int i = 0; i < channels * channels; i++)
        weights[i] *= scale[i / channels];
}

static void form_beams(const number *segment, int first_gate)
{
    const int depth = cube_depth(cube);
    const number one = 1, zero = 0;
    zgemm_("C", "N", &channels, &depth, &channels, &one, weights, &channels, segment, &channels,
           &zero, beams, &channels, 1, 1);
    double *powers = detector_powers(&detector, first_gate)->of; /* gates follow each other */
    for (int i = 0; i < depth * channels; i++)
        powers[i] = creal(beams[i]) * creal(beams[i]) + cimag(beams[i]) * cimag(beams[i]);
}

static void process(const struct cell *cell, long first, long last)
{
    const int depth = cube_depth(cube), segments = cube->segments;
    (void)cell;
    for (long i = first; i < last; i++) {
        fftw_execute(filter);
        for (int bin = 0; bin < cube->pulses; bin++) {
            const number *plane = turned + (size_t)bin * (size_t)(cube->gates * channels);
            for (int s = 0; s < segments; s++) {
                adapt(plane + (s + 1) % segments * depth * channels);
                form_beams(plane + s * depth * channels, s * depth);
            }
            detector_compare(&detector, statistics + bin * cube->gates);
        }
    }
}

static void restart(const struct cell *cell)
{
    (void)cell;
    memset(turned, 0xff, samples() * sizeof *turned);
}

static bool check(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    uint64_t found = 0;
    bool right = true;
    (void)cell, (void)repetition;
    for (int i = 0; i < cube->pulses * cube->gates; i++)
        found += statistics[i] > THRESHOLD;
    for (int t = 0; t < cube->targets && right; t++) {
        const struct detection *target = &cube->detected[t];
        const double seen = statistics[target->bin * cube->gates + target->gate];
        right = quantity_is("statistic", target->statistic, seen, 1e-9, mismatch);
    }
    return right && count_is("detections", (uint64_t)cube->targets, found, mismatch);
}

/* The kernel's own says how much there is to compute. */
static const struct problem problems[CUBES] = {
    [CUBE_SMALL] = {.repetitions = 1, .most_ranks = 1, .bytes = 3 << 20},
    [CUBE_MEDIUM] = {.repetitions = 1, .most_ranks = 1, .bytes = 40 << 20},
    [CUBE_LARGE] = {.repetitions = 1, .most_ranks = 1, .bytes = 300 << 20},
};

static const struct application stap_by_libraries = {
    .option = OPTION_CUBE,
    .problems = problems,
    .prepare = prepare,
    .restart = restart,
};

const struct pattern pattern_extra = {
    .name = "stap_by_libraries",
    .summary = "a STAP pipeline over FFTW and LAPACK",
    .algorithm = "native",
    .messages_per_repetition = 1,
    .options = 1u << OPTION_CUBE,
    .keeps_input = true,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_STREAMING,
    .application = &stap_by_libraries,
    .run = process,
    .check = check,
    .end = end,
};
