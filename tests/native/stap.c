/**
 * Runs the STAP pipeline on cubes of the size named, over as many ranks as it is started on, and
 * says what rank 0 found, in words that tests compare:
 *
 *   stap SIZE [REPETITIONS]
 *
 *   checksum HEX                        of the input
 *   codes COUNT                         turned wrong
 *   flop COUNT                          of all ranks
 *   found BEAM BIN GATE STATISTIC       for each detection
 *   largest_other STATISTIC             where there is no target
 *   sum STATISTIC                       of all ranks
 *   fingerprint HEX                     of every statistic, whoever owns it
 *   seconds FILTER TURN SEARCH GATHER   of rank 0, the least of each
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "applications/stap/pipeline.h"
#include "applications/stap/scene.h"
#include "channel/clock.h"
#include "transport/transport.h"

enum { PHASES = 4 };

static struct pipeline pipeline;
static int64_t least_ns[PHASES];

static const struct cube *cube_named(const char *name)
{
    for (int i = 0; i < cube_count; i++)
        if (strcmp(cubes[i].name, name) == 0)
            return &cubes[i];
    fprintf(stderr, "no size is called %s\n", name);
    exit(EXIT_FAILURE);
}

static void repeat(void)
{
    static void (*const phases[PHASES])(struct pipeline *) = {pipeline_filter, pipeline_turn,
                                                              pipeline_search, pipeline_gather};
    pipeline_forget(&pipeline);
    for (int i = 0; i < PHASES; i++) {
        const int64_t begin = clock_now_ns();
        phases[i](&pipeline);
        const int64_t taken = clock_now_ns() - begin;
        least_ns[i] = least_ns[i] == 0 || taken < least_ns[i] ? taken : least_ns[i];
    }
}

static void say_found(void)
{
    for (int rank = 0; rank < pipeline.part.ranks; rank++) {
        int64_t count;
        const struct detection *found = pipeline_found(&pipeline, rank, &count);
        for (int64_t i = 0; i < count; i++)
            printf("found %d %d %d %.17g\n", (int)found[i].beam, (int)found[i].bin,
                   (int)found[i].gate, found[i].statistic);
    }
}

static uint64_t fingerprint(void)
{
    const struct part *part = &pipeline.part;
    const size_t count = (size_t)(part->bins * part->cube->gates);
    const uint64_t first = (uint64_t)(part->first_bin * part->cube->gates);
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, pipeline.statistics + i, sizeof bits);
        sum += (bits ^ (first + i)) * UINT64_C(0x9E3779B97F4A7C15) ^ (bits >> 29);
    }
    return sum;
}

static bool is_target(const struct cube *cube, int bin, int gate)
{
    bool found = false;
    for (int t = 0; t < cube->targets; t++)
        found = found || (cube->detected[t].bin == bin && cube->detected[t].gate == gate);
    return found;
}

/* Of all ranks. */
static double largest_other(void)
{
    const struct part *part = &pipeline.part;
    double largest = 0, of_all;
    for (int bin = 0; bin < part->bins; bin++)
        for (int gate = 0; gate < part->cube->gates; gate++) {
            const double seen = pipeline.statistics[bin * part->cube->gates + gate];
            if (seen > largest && !is_target(part->cube, part->first_bin + bin, gate))
                largest = seen;
        }
    tp_allreduce(&largest, &of_all, 1, TP_DOUBLE, TP_MAX);
    return of_all;
}

/* Of all ranks; the order differs from one number of ranks to another. */
static double sum(void)
{
    const struct part *part = &pipeline.part;
    double mine = 0, all;
    for (int i = 0; i < part->bins * part->cube->gates; i++)
        mine += pipeline.statistics[i];
    tp_allreduce(&mine, &all, 1, TP_DOUBLE, TP_SUM);
    return all;
}

static void say_all(void)
{
    const struct part *part = &pipeline.part;
    const size_t mine = pipeline_filter_effort(part).flop + pipeline_search_effort(part).flop;
    const uint64_t flop = pipeline_sum(&pipeline, mine);
    const uint64_t checksum = pipeline_sum(&pipeline, scene_checksum(part, pipeline.input));
    const uint64_t all = pipeline_sum(&pipeline, fingerprint());
    const double other = largest_other(), total = sum();
    if (part->rank != 0)
        return;
    printf("checksum %016" PRIx64 "\nflop %" PRIu64 "\n", checksum, flop);
    say_found();
    printf("largest_other %.17g\nsum %.17g\nfingerprint %016" PRIx64 "\nseconds", other, total,
           all);
    for (int i = 0; i < PHASES; i++)
        printf(" %.9f", (double)least_ns[i] * 1e-9);
    putchar('\n');
}

int main(int argc, char **argv)
{
    tp_init(&argc, &argv);
    const struct cube *cube = cube_named(argc > 1 ? argv[1] : "small");
    const struct part part = part_of(cube, tp_rank(), tp_size());
    const size_t bytes = pipeline_buffer_bytes(cube, part.ranks);
    char *out = tp_allocate(bytes), *in = tp_allocate(bytes);
    if (!out || !in || !pipeline_make(&pipeline, &part, out, in))
        return EXIT_FAILURE;
    const uint64_t wrong = pipeline_sum(&pipeline, pipeline_wrong_codes(&pipeline));
    if (part.rank == 0)
        printf("codes %" PRIu64 "\n", wrong);
    for (int i = 0; i < (argc > 2 ? atoi(argv[2]) : 1); i++)
        repeat();
    say_all();
    pipeline_release(&pipeline);
    tp_release(out);
    tp_release(in);
    tp_finalize();
    return EXIT_SUCCESS;
}
