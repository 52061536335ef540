/** What happened around a rank while the timed part of its slice ran, outside every batch. */
#ifndef LEADLINE_SURROUNDINGS_H
#define LEADLINE_SURROUNDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "channel/disturbance.h"

/**
 * What the network interfaces of this process's host carried: one reading of the counters of its
 * network namespace, loopback left out. Starts as {0}, and its memory serves the next reading.
 */
struct links {
    char *text; /* as the system has it: parsed only when it is said */
    size_t length, room;
    int64_t at_ns;
};

/** Of one slice after the other; starts as {0}. */
struct surroundings {
    struct disturbance before, after;
    struct links links_before, links_after;
    int64_t core_latency_ns; /* of this rank and its partner; CORE_LATENCY_UNKNOWN: there is none */
};

/** The first timed batch comes next; `links` asks for the counters of interfaces as well. */
void surroundings_begin(struct surroundings *around, bool links);

/** The last batch of slice number `slice` is over, and so it is on all `participants`. */
void surroundings_end(struct surroundings *around, bool links, int64_t slice, int participants);

/** The words of the `result` line that say what came between; the caller frees them. */
char *surroundings_words(const struct surroundings *around, bool links);

#endif
