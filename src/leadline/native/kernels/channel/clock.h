/**
 * The clock: CLOCK_MONOTONIC, which all processes of a host share; in a kernel whose ranks are
 * simulated (LEADLINE_SIMULATED) theirs, which nothing but the library moves on.
 */
#ifndef LEADLINE_CLOCK_H
#define LEADLINE_CLOCK_H

#include <stdint.h>
#include <time.h>

#ifdef LEADLINE_SIMULATED
#include "transport/simulation.h"

/** Nanoseconds of simulated time. */
static inline int64_t clock_now_ns(void)
{
    return tp_now_ns();
}

/** The first reading from `end_ns` on; the other ranks go on until then. */
static inline int64_t clock_await_ns(int64_t end_ns)
{
    const int64_t now = tp_now_ns();
    if (now < end_ns)
        tp_sleep_ns(end_ns - now);
    return tp_now_ns();
}
#else
/** Nanoseconds on the host's monotonic clock. */
static inline int64_t clock_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/** The first reading from `end_ns` on; spins until then. */
static inline int64_t clock_await_ns(int64_t end_ns)
{
    int64_t now = clock_now_ns();
    while (now < end_ns)
        now = clock_now_ns();
    return now;
}
#endif

/** Returns when `ns` nanoseconds are over. */
static inline void clock_spin_ns(int64_t ns)
{
    clock_await_ns(clock_now_ns() + ns);
}

#endif
