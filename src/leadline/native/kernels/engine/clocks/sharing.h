/** Which ranks read one clock; the lowest of them is the leader. */
#ifndef LEADLINE_CLOCKS_SHARING_H
#define LEADLINE_CLOCKS_SHARING_H

#include <stdbool.h>

/** The clocks of a job, in the order of their lowest ranks: rank 0's, the common one, first. */
struct sharing {
    int clocks;
    const int *leaders;  /* of each clock; rising */
    const int *clock_of; /* of each rank */
};

/**
 * Asks all ranks for their clock, or, if `by_host`, takes each host to have its own; collective, at
 * the first call and where `by_host` is another than before. What is returned stands until then.
 * Exits with a message where there is no memory for it.
 */
const struct sharing *sharing_among_ranks(bool by_host);

#endif
