/** The clock of every time in the switch: CLOCK_MONOTONIC, in nanoseconds. */
#ifndef LEADLINE_SWITCH_CLOCK_H
#define LEADLINE_SWITCH_CLOCK_H

#include <stdint.h>
#include <time.h>

enum { NS_PER_S = 1000000000 };

static inline int64_t clock_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

#endif
