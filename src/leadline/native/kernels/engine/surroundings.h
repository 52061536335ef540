/** What happened around a rank while the timed part of its slice ran, outside every batch. */
#ifndef LEADLINE_SURROUNDINGS_H
#define LEADLINE_SURROUNDINGS_H

#include <stdbool.h>

#include "channel/disturbance.h"
#include "channel/links.h"

/** Of one slice after the other; starts as {0}. */
struct surroundings {
    struct disturbance before, after;
    struct links links_before, links_after;
};

/** The first timed batch comes next; `links` asks for the counters of interfaces as well. */
void surroundings_begin(struct surroundings *around, bool links);

/** The last batch is over. */
void surroundings_end(struct surroundings *around, bool links);

/** The words of the `result` line that say what came between; the caller frees them. */
char *surroundings_words(const struct surroundings *around, bool links);

#endif
