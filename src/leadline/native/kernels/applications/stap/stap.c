/**
 * Space-time adaptive processing: what an airborne radar does to find what moves among the echoes
 * of the ground and under jammers, one cube of samples a repetition. Our own workload, in the
 * manner of the STAP benchmark behind K. Hwang, C. Wang and C.-L. Wang, "Evaluating MPI collective
 * communication on the SP2, T3D, and Paragon multicomputers" (1997); sizes and scene aren't its.
 */
#include "applications/stap/result.h"
#include "applications/stap/scene.h"

static struct pipeline pipeline; /* of the slice */
static bool codes_turned;        /* in this slice */
static uint64_t wrong_codes;     /* of these, on this rank */

/* Each rank has a Doppler bin at least. Memory is that of three cubes, of which two are messages,
   and of the statistics. */
static const struct problem problems[CUBES] = {
    [CUBE_SMALL] = {.repetitions = 1, .most_ranks = 32, .flop = 11272192, .bytes = 3211264},
    [CUBE_MEDIUM] = {.repetitions = 1, .most_ranks = 128, .flop = 350224384, .bytes = 50855936},
    [CUBE_LARGE] = {.repetitions = 1, .most_ranks = 128, .flop = 5217714176, .bytes = 404750336},
};

static struct part part_for(const struct cell *cell)
{
    return part_of(&cubes[cell->chosen[OPTION_CUBE]], cell->rank, cell->ranks);
}

static size_t buffer_bytes(const struct cell *cell)
{
    return pipeline_buffer_bytes(part_for(cell).cube, cell->ranks);
}

static const char *prepare(const struct cell *cell)
{
    const struct part part = part_for(cell);
    codes_turned = false;
    const bool made =
        pipeline_make(&pipeline, &part, ring_at(&cell->out, 0), ring_at(&cell->in, 0));
    return made ? NULL : "no memory for its cube";
}

static void end(const struct cell *cell)
{
    (void)cell;
    pipeline_release(&pipeline);
}

static void restart(const struct cell *cell)
{
    (void)cell;
    if (!codes_turned)
        wrong_codes = pipeline_wrong_codes(&pipeline);
    codes_turned = true;
    pipeline_forget(&pipeline);
}

static void process(const struct cell *cell, long first, long last)
{
    const struct effort filtering = pipeline_filter_effort(&pipeline.part);
    const struct effort searching = pipeline_search_effort(&pipeline.part);
    for (long i = first; i < last; i++) {
        pipeline_filter(&pipeline);
        worked(cell, filtering.flop, filtering.bytes);
        int64_t begin = spent_begin();
        pipeline_turn(&pipeline);
        spent_end(cell, begin);
        pipeline_search(&pipeline);
        worked(cell, searching.flop, searching.bytes);
        begin = spent_begin();
        pipeline_gather(&pipeline);
        spent_end(cell, begin);
    }
}

static bool check(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    const struct part *part = &pipeline.part;
    const uint64_t checksum = pipeline_sum(&pipeline, scene_checksum(part, pipeline.input));
    const uint64_t sent = pipeline_sum_sent(&pipeline);
    const uint64_t received = pipeline_sum_received(&pipeline);
    (void)cell, (void)repetition;
    return count_is("checksum", part->cube->checksum, checksum, mismatch) &&
           count_is("codes_turned_wrong", 0, wrong_codes, mismatch) &&
           count_is("sum_of_turned_samples", sent, received, mismatch) &&
           result_right(&pipeline, mismatch);
}

static const struct application stap = {
    .option = OPTION_CUBE,
    .problems = problems,
    .buffer_bytes = buffer_bytes,
    .prepare = prepare,
    .restart = restart,
};

const struct pattern pattern_stap = {
    .name = "stap",
    .summary = "a STAP pipeline: Doppler filter, corner turn, adaptive beams, detection",
    .algorithm = tp_alltoall_algorithm,
    .messages_per_repetition = 1,
    .one_buffer = true,
    .options = 1u << OPTION_CUBE,
    .keeps_input = true,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_STREAMING,
    .application = &stap,
    .run = process,
    .check = check,
    .end = end,
};
