/**
 * How long to sleep before a delivery, learnt from how late sleeps end on this machine. No clock is
 * read here.
 *
 * What is left of the time is spent polling, by a process that goes ahead of all others. It
 * therefore owes them sleep: at least a fourth of the time. (A kernel that has to see to that
 * itself, above 95 %, takes the processor away for 50 ms at a time, see sched_rt_runtime_us.)
 */
#ifndef LEADLINE_SWITCH_PACE_H
#define LEADLINE_SWITCH_PACE_H

#include <stdint.h>

struct pace {
    int64_t ahead_ns; /**< nine of ten sleeps end by so much too late, or by less */
    int64_t owed_ns;  /**< sleep */
    int64_t woken_ns; /**< when the last sleep ended */
};

/** The pace of one who has just begun. */
struct pace pace_begin(int64_t now_ns);

/** How long to sleep from now on, at most; 0: poll. `next_ns` INT64_MAX: nothing is due. */
int64_t pace_sleep_ns(const struct pace *pace, int64_t now_ns, int64_t next_ns);

/** A sleep has begun and ended; `asked_ns` was its length if it wasn't interrupted, else 0. */
void pace_slept(struct pace *pace, int64_t begun_ns, int64_t asked_ns, int64_t ended_ns);

#endif
