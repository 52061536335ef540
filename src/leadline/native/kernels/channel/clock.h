/** The clock: CLOCK_MONOTONIC, which all processes of a host share. */
#ifndef LEADLINE_CLOCK_H
#define LEADLINE_CLOCK_H

#include <stdint.h>
#include <time.h>

/** Nanoseconds on the host's monotonic clock. */
static inline int64_t clock_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/** Returns when `ns` nanoseconds are over; spins until then. */
static inline void clock_spin_ns(int64_t ns)
{
    const int64_t end = clock_now_ns() + ns;
    while (clock_now_ns() < end)
        ;
}

/** What one reading costs, in nanoseconds: the least mean of several short trains of readings. */
double clock_cost_ns(void);

#endif
