#include "applications/stap/result.h"

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

bool result_right(const struct pipeline *pipeline, struct mismatch *mismatch)
{
    return targets_stand_out(pipeline, mismatch) && nothing_else_does(pipeline, mismatch) &&
           (pipeline->part.rank != 0 || gathered_right(pipeline, mismatch));
}
