/**
 * Of the batches of many ranks the slowest one's, and the spread over all of them: what the
 * front-end keeps where the time of a pattern is the slowest rank's. All are integers, and ranks
 * come in rising order, so that it doesn't matter who computes it.
 */
#ifndef LEADLINE_RELAY_REDUCTION_H
#define LEADLINE_RELAY_REDUCTION_H

#include <stddef.h>
#include <stdint.h>

/** One batch of all ranks, as it goes over the control channel (host byte order). */
struct reduced {
    int64_t start_ns; /* of the rank with the longest time; of equals the lowest */
    int64_t end_ns;
    int64_t flags; /* all that any rank has */
    int64_t slowest;
    int64_t shortest_ns;
    int64_t first_start_ns, last_start_ns;
    int64_t first_end_ns, last_end_ns;
    int64_t lowest_rank_start_ns;
};
enum { REDUCED_COLUMNS = sizeof(struct reduced) / sizeof(int64_t) };

/** `count` batches of the lowest rank alone; `batches` are struct batch, aligned or not. */
void reduction_begin(struct reduced *rows, size_t count, int rank, const void *batches);

/** Adds as many of the next higher rank. */
void reduction_add(struct reduced *rows, size_t count, int rank, const void *batches);

#endif
