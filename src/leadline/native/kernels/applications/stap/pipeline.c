#include "applications/stap/pipeline.h"

#include <math.h>
#include <string.h>

#include "applications/stap/scene.h"
#include "patterns/pattern.h"

/* What lies behind the samples in both buffers: reports, and a word for sums. A rank's reports are
   a count, and room for a detection a bin. */
static size_t turn_bytes(const struct cube *cube, int ranks)
{
    return turn_most(cube, ranks) * sizeof(struct lanes);
}

static size_t report_bytes(const struct cube *cube, int ranks)
{
    return (size_t)(cube->pulses + ranks) * sizeof(struct detection);
}

size_t pipeline_buffer_bytes(const struct cube *cube, int ranks)
{
    return turn_bytes(cube, ranks) + report_bytes(cube, ranks) + (size_t)ranks * sizeof(uint64_t);
}

static void *behind_samples(const struct pipeline *pipeline, char *buffer)
{
    return buffer + turn_bytes(pipeline->part.cube, pipeline->part.ranks);
}

static void *behind_reports(const struct pipeline *pipeline, char *buffer)
{
    const struct part *part = &pipeline->part;
    return (char *)behind_samples(pipeline, buffer) + report_bytes(part->cube, part->ranks);
}

static size_t reports_before(const struct part *part, int rank)
{
    return (size_t)(share_begin(part->cube->pulses, rank, part->ranks) + rank);
}

/* A library's layout may be NULL. */
static bool lay_out_reports(struct pipeline *pipeline)
{
    const struct part *part = &pipeline->part;
    const size_t ranks = (size_t)part->ranks;
    size_t *bytes = malloc(ranks * sizeof *bytes), *at = malloc(ranks * sizeof *at);
    const bool made = bytes && at;
    for (int rank = 0; made && rank < part->ranks; rank++) {
        at[rank] = reports_before(part, rank) * sizeof(struct detection);
        bytes[rank] = reports_before(part, rank + 1) * sizeof(struct detection) - at[rank];
    }
    if (made)
        pipeline->reports = tp_layout_make(bytes, at);
    free(bytes);
    free(at);
    return made;
}

static bool lay_out(struct pipeline *pipeline)
{
    const struct turn *turn = &pipeline->turn;
    pipeline->sent = tp_layout_make(turn->sent, turn->sent_at);
    pipeline->received = tp_layout_make(turn->received, turn->received_at);
    return lay_out_reports(pipeline);
}

bool pipeline_make(struct pipeline *pipeline, const struct part *part, char *out, char *in)
{
    const struct cube *cube = part->cube;
    const size_t rows = (size_t)part->gates * (size_t)cube->pulses;
    *pipeline = (struct pipeline){
        .part = *part,
        .input = lanes_make(rows * cube_blocks(cube)),
        .statistics = calloc((size_t)(part->bins + 1) * (size_t)cube->gates, sizeof(double)),
        .out = out,
        .in = in,
    };
    const bool made[] = {
        pipeline->statistics != NULL,
        doppler_make(&pipeline->doppler, cube),
        turn_make(&pipeline->turn, part),
        weights_make(&pipeline->weights, cube),
        detector_make(&pipeline->detector, cube),
        pipeline->input && scene_take(part, pipeline->input),
    };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        if (!made[i])
            return false;
    return lay_out(pipeline);
}

void pipeline_release(struct pipeline *pipeline)
{
    free(pipeline->input);
    free(pipeline->statistics);
    doppler_release(&pipeline->doppler);
    turn_release(&pipeline->turn);
    weights_release(&pipeline->weights);
    detector_release(&pipeline->detector);
    tp_layout_free(pipeline->sent);
    tp_layout_free(pipeline->received);
    tp_layout_free(pipeline->reports);
}

static struct lanes *lanes_in(char *buffer)
{
    return (struct lanes *)(void *)buffer;
}

void pipeline_filter(struct pipeline *pipeline)
{
    const size_t blocks = pipeline->turn.blocks, gates = (size_t)pipeline->part.gates;
    const size_t gate_lanes = (size_t)pipeline->part.cube->pulses * blocks;
    for (size_t gate = 0; gate < gates; gate++)
        doppler_filter(&pipeline->doppler, pipeline->input + gate * gate_lanes,
                       lanes_in(pipeline->out) + gate * blocks, gates * blocks);
}

void pipeline_turn(struct pipeline *pipeline)
{
    if (pipeline->turn.even)
        tp_alltoall(pipeline->out, pipeline->in, pipeline->turn.pair_bytes);
    else
        tp_alltoallv(pipeline->out, pipeline->sent, pipeline->in, pipeline->received);
}

/* A problem is a bin and a segment of it; LANES of them are solved at once, over the end the last
   one again. */
struct place {
    int bin, segment;
};

static struct place place_of(const struct part *part, int problem)
{
    const int segments = part->cube->segments, last = part->bins * segments - 1;
    problem = problem < last ? problem : last;
    return (struct place){problem / segments, problem % segments};
}

static void adapt(struct pipeline *pipeline, int first)
{
    const struct part *part = &pipeline->part;
    const int depth = cube_depth(part->cube);
    const struct lanes *in = lanes_in(pipeline->in), *rows[LANES];
    for (int i = 0; i < depth; i++) {
        for (int l = 0; l < LANES; l++) {
            const struct place place = place_of(part, first + l);
            const int beside = (place.segment + 1) % part->cube->segments;
            rows[l] = turn_row(&pipeline->turn, in, place.bin, beside * depth + i);
        }
        weights_train(&pipeline->weights, i, rows);
    }
    weights_adapt(&pipeline->weights);
}

static void form_beams(struct pipeline *pipeline, int lane, struct place place)
{
    const struct cube *cube = pipeline->part.cube;
    const int depth = cube_depth(cube);
    for (int i = 0; i < depth; i++) {
        const int gate = place.segment * depth + i;
        beams_form(cube, weights_of(&pipeline->weights, lane),
                   turn_row(&pipeline->turn, lanes_in(pipeline->in), place.bin, gate),
                   detector_powers(&pipeline->detector, gate));
    }
}

/* The first of this rank's reports, whose bin says how many follow. */
static struct detection *own_reports(const struct pipeline *pipeline)
{
    return behind_samples(pipeline, pipeline->out);
}

static void detect(struct pipeline *pipeline, int bin)
{
    const struct part *part = &pipeline->part;
    double *statistics = pipeline->statistics + (size_t)bin * (size_t)part->cube->gates;
    struct detection *reports = own_reports(pipeline);
    detector_compare(&pipeline->detector, statistics);
    for (int gate = 0; gate < part->cube->gates; gate++)
        if (statistics[gate] > THRESHOLD && reports->bin++ < part->bins)
            reports[reports->bin] = (struct detection){
                .beam = detector_beam(&pipeline->detector, gate, statistics[gate]),
                .bin = part->first_bin + bin,
                .gate = gate,
                .statistic = statistics[gate],
            };
}

void pipeline_search(struct pipeline *pipeline)
{
    const struct part *part = &pipeline->part;
    const int segments = part->cube->segments, problems = part->bins * segments;
    *own_reports(pipeline) = (struct detection){0};
    for (int first = 0; first < problems; first += LANES) {
        adapt(pipeline, first);
        for (int l = 0; l < LANES && first + l < problems; l++) {
            const struct place place = place_of(part, first + l);
            form_beams(pipeline, l, place);
            if (place.segment == segments - 1)
                detect(pipeline, place.bin);
        }
    }
}

void pipeline_gather(struct pipeline *pipeline)
{
    tp_gatherv(own_reports(pipeline), behind_samples(pipeline, pipeline->in), pipeline->reports, 0);
}

void pipeline_forget(struct pipeline *pipeline)
{
    const struct part *part = &pipeline->part;
    const size_t statistics = (size_t)part->bins * (size_t)part->cube->gates;
    memset(pipeline->in, 0xff, pipeline_buffer_bytes(part->cube, part->ranks));
    for (size_t i = 0; i < statistics; i++)
        pipeline->statistics[i] = NAN;
}

size_t pipeline_wrong_codes(struct pipeline *pipeline)
{
    turn_encode(&pipeline->turn, lanes_in(pipeline->out));
    pipeline_turn(pipeline);
    return turn_wrong(&pipeline->turn, lanes_in(pipeline->in));
}

const struct detection *pipeline_found(const struct pipeline *pipeline, int rank, int64_t *count)
{
    const struct part *part = &pipeline->part;
    const struct detection *reports = behind_samples(pipeline, pipeline->in);
    reports += reports_before(part, rank);
    *count = reports->bin;
    return reports + 1;
}

uint64_t pipeline_sum(struct pipeline *pipeline, uint64_t number)
{
    uint64_t *mine = behind_reports(pipeline, pipeline->out), sum = 0;
    const uint64_t *all = behind_reports(pipeline, pipeline->in);
    *mine = number;
    tp_allgather(mine, behind_reports(pipeline, pipeline->in), sizeof *mine);
    for (int rank = 0; rank < pipeline->part.ranks; rank++)
        sum += all[rank];
    return sum;
}

uint64_t pipeline_sum_sent(struct pipeline *pipeline)
{
    return pipeline_sum(pipeline, turn_sum_sent(&pipeline->turn, lanes_in(pipeline->out)));
}

uint64_t pipeline_sum_received(struct pipeline *pipeline)
{
    return pipeline_sum(pipeline, turn_sum_received(&pipeline->turn, lanes_in(pipeline->in)));
}

static size_t share_of(size_t total, int share, int shares)
{
    return total / (size_t)shares * (size_t)share;
}

struct effort pipeline_filter_effort(const struct part *part)
{
    const struct cube *cube = part->cube;
    const size_t samples = (size_t)part->gates * (size_t)cube->pulses * (size_t)cube->channels;
    return (struct effort){
        .flop = share_of(doppler_flop(cube), part->gates, cube->gates),
        .bytes = 2 * samples * 2 * sizeof(double),
    };
}

struct effort pipeline_search_effort(const struct part *part)
{
    const struct cube *cube = part->cube;
    const size_t samples = (size_t)part->bins * (size_t)cube->gates * (size_t)cube->channels;
    const size_t flop = weights_flop(cube) + beams_flop(cube) + detector_flop(cube);
    return (struct effort){
        .flop = share_of(flop, part->bins, cube->pulses),
        .bytes = 2 * samples * 2 * sizeof(double), /* as training, and to be adapted to it */
    };
}
