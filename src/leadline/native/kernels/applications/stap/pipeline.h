/**
 * From samples to detections, one cube after the other. Each rank filters the gates that it owns,
 * all exchange them for bins, each searches its bins, and rank 0 gathers what was found.
 */
#ifndef LEADLINE_STAP_PIPELINE_H
#define LEADLINE_STAP_PIPELINE_H

#include <stdbool.h>

#include "applications/stap/detection.h"
#include "applications/stap/doppler.h"
#include "applications/stap/turn.h"
#include "applications/stap/weights.h"

struct tp_layout;

/** What a phase of the pipeline computes on one rank. */
struct effort {
    size_t flop;
    size_t bytes; /* read and written */
};

struct pipeline {
    struct part part;
    struct lanes *input; /* [own gate][pulse] rows */
    struct doppler doppler;
    struct turn turn;
    struct weights weights;
    struct detector detector;
    double *statistics; /* [own bin][gate] of the loudest beam */
    char *out, *in;     /* messages: pipeline_buffer_bytes each */
    struct tp_layout *sent, *received, *reports;
};

/** How many bytes of messages a rank sends and receives, at most: the same on all ranks. */
size_t pipeline_buffer_bytes(const struct cube *cube, int ranks);

/** True if made, on this rank alone; to be released either way. */
bool pipeline_make(struct pipeline *pipeline, const struct part *part, char *out, char *in);
void pipeline_release(struct pipeline *pipeline);

/** The phases, in this order; turn and gather are collective. */
void pipeline_filter(struct pipeline *pipeline);
void pipeline_turn(struct pipeline *pipeline);
void pipeline_search(struct pipeline *pipeline);
void pipeline_gather(struct pipeline *pipeline);

/** Forgets what was received and found, so that nothing old looks new. */
void pipeline_forget(struct pipeline *pipeline);

/** How many of the codes that this rank gets by a corner turn are wrong; collective. */
size_t pipeline_wrong_codes(struct pipeline *pipeline);

/** Sums of all samples as they were turned last, over all ranks: equal, bit by bit; collective. */
uint64_t pipeline_sum_sent(struct pipeline *pipeline);
uint64_t pipeline_sum_received(struct pipeline *pipeline);

/** How many detections rank 0 gathered from `rank`, and the first; there may be room for fewer. */
const struct detection *pipeline_found(const struct pipeline *pipeline, int rank, int64_t *count);

/** The sum of all ranks' `number`, modulo 2^64; collective. Samples and reports stay. */
uint64_t pipeline_sum(struct pipeline *pipeline, uint64_t number);

struct effort pipeline_filter_effort(const struct part *part);
struct effort pipeline_search_effort(const struct part *part);

#endif
