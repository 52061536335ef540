/** How the clock of this host goes against the common one, which is that of rank 0. Pure. */
#ifndef LEADLINE_CLOCKS_MODEL_H
#define LEADLINE_CLOCKS_MODEL_H

#include <stdint.h>

/** Both clocks at one moment, and how sure that is. */
struct reading {
    int64_t here_ns;
    int64_t common_ns;
    int64_t error_ns;      /* of one against the other, as far as it can be seen; above 0 */
    int64_t round_trip_ns; /* the error is at most half of it, whatever the way there and back */
};

/** A line through readings; all zero: the clock is the common one. */
struct model {
    int64_t here_ns, common_ns; /* at one moment */
    double drift;               /* seconds that this clock gains in a second of the common one */
};

enum { MOST_READINGS = 8 };

/** The last readings of a clock; starts as {0}. */
struct readings {
    struct reading last[MOST_READINGS];
    long count; /* that ever were */
};

/** Takes in the next one, later than those before. */
void readings_add(struct readings *readings, struct reading next);

/** The shortest round trip of those that are kept; 0: there is none. */
int64_t readings_shortest_ns(const struct readings *readings);

/**
 * The model by all readings that are kept: the drift is the slope of the line with least squares,
 * weighted by 1 / error^2 (half of what a round trip took longer than the shortest adds to its
 * error), or 0 where errors may feign it (twice its standard deviation); the
 * offset that of the line at the last reading, where it lies within half the round trip of what
 * was read. Of none: that of the common clock.
 */
struct model model_of(const struct readings *readings);

/** What the common clock shows when this one shows `here_ns`. */
int64_t model_common_ns(const struct model *model, int64_t here_ns);

/** What this clock shows when the common one shows `common_ns`. */
int64_t model_here_ns(const struct model *model, int64_t common_ns);

#endif
