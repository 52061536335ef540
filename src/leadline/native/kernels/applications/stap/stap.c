/**
 * Space-time adaptive processing: what an airborne radar does to find what moves among the echoes
 * of the ground and under jammers, one cube of samples a repetition. Our own workload, in the
 * manner of the STAP benchmark behind K. Hwang, C. Wang and C.-L. Wang, "Evaluating MPI collective
 * communication on the SP2, T3D, and Paragon multicomputers" (1997); sizes and scene aren't its.
 */
#include "applications/stap/pipeline.h"
#include "applications/stap/scene.h"
#include "patterns/pattern.h"

/* -- the result -------------------------------------------------------------------------------- */

/* Whether the pipeline found what is there, and nothing else. */

static const double statistic_tolerance = 1e-9;
static const double most_elsewhere = 0.75 * THRESHOLD;

static bool has_target(const struct cube *cube, int bin, int gate)
{
    bool found = false;
    for (int t = 0; t < cube->targets; t++)
        found = found || (cube->detected[t].bin == bin && cube->detected[t].gate == gate);
    return found;
}

static double statistic_at(const struct pipeline *pipeline, int64_t bin, int64_t gate)
{
    const struct part *part = &pipeline->part;
    return pipeline->statistics[(bin - part->first_bin) * part->cube->gates + gate];
}

static bool targets_stand_out(const struct pipeline *pipeline, struct mismatch *mismatch)
{
    const struct part *part = &pipeline->part;
    bool right = true;
    for (int t = 0; t < part->cube->targets && right; t++) {
        const struct detection *target = &part->cube->detected[t];
        if (target->bin >= part->first_bin && target->bin < part->first_bin + part->bins)
            right = quantity_is("statistic", target->statistic,
                                statistic_at(pipeline, target->bin, target->gate),
                                statistic_tolerance, mismatch);
    }
    return right;
}

static bool nothing_else_does(const struct pipeline *pipeline, struct mismatch *mismatch)
{
    const struct part *part = &pipeline->part;
    bool right = true;
    for (int bin = part->first_bin; bin < part->first_bin + part->bins; bin++)
        for (int gate = 0; gate < part->cube->gates && right; gate++) {
            const double seen = statistic_at(pipeline, bin, gate);
            if (!(seen <= most_elsewhere) && !has_target(part->cube, bin, gate))
                right = quantity_is("largest_other", part->cube->largest_other, seen, 0, mismatch);
        }
    return right;
}

static bool is_target(const struct detection *found, const struct detection *target,
                      struct mismatch *mismatch)
{
    return count_is("beam", (uint64_t)target->beam, (uint64_t)found->beam, mismatch) &&
           count_is("doppler_bin", (uint64_t)target->bin, (uint64_t)found->bin, mismatch) &&
           count_is("gate", (uint64_t)target->gate, (uint64_t)found->gate, mismatch) &&
           quantity_is("statistic_gathered", target->statistic, found->statistic,
                       statistic_tolerance, mismatch);
}

/* A rank has room for as many as it has bins. */
static bool as_many(const struct pipeline *pipeline, struct mismatch *mismatch)
{
    const struct part *part = &pipeline->part;
    uint64_t total = 0;
    for (int rank = 0; rank < part->ranks; rank++) {
        const uint64_t room = (uint64_t)part_of(part->cube, rank, part->ranks).bins;
        int64_t count;
        pipeline_found(pipeline, rank, &count);
        if ((uint64_t)count > room)
            return count_is("detections_of_a_rank", room, (uint64_t)count, mismatch);
        total += (uint64_t)count;
    }
    return count_is("detections", (uint64_t)part->cube->targets, total, mismatch);
}

/* They come by bin, as ranks and targets do. */
static bool gathered_right(const struct pipeline *pipeline, struct mismatch *mismatch)
{
    const struct detection *target = pipeline->part.cube->detected;
    bool right = as_many(pipeline, mismatch);
    for (int rank = 0; rank < pipeline->part.ranks && right; rank++) {
        int64_t count;
        const struct detection *found = pipeline_found(pipeline, rank, &count);
        for (int64_t i = 0; i < count && right; i++, target++)
            right = is_target(found + i, target, mismatch);
    }
    return right;
}

/* True if this rank's statistics are those of the reference, to 1e-9 where targets are and far
    from the threshold elsewhere, and on rank 0 the detections gathered; else sets *mismatch. */
static bool result_right(const struct pipeline *pipeline, struct mismatch *mismatch)
{
    return targets_stand_out(pipeline, mismatch) && nothing_else_does(pipeline, mismatch) &&
           (pipeline->part.rank != 0 || gathered_right(pipeline, mismatch));
}

/* -- the pattern ------------------------------------------------------------------------------- */

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
