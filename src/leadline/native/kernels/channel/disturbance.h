/** What keeps the thread that measures from running: how much there was of it so far. */
#ifndef LEADLINE_DISTURBANCE_H
#define LEADLINE_DISTURBANCE_H

#include <stdint.h>

/** Totals of the calling thread since it began, or differences of two; -1: the system doesn't say.
 */
struct disturbance {
    int64_t at_ns;        /* when it was read; of a difference: the time between */
    int64_t run_delay_ns; /* ready to run, waiting for a core */
    int64_t switches;     /* involuntary: the core was taken away */
    int64_t faults;       /* of pages, without input or output */
};

/** The totals now. Always from the same thread, the process's first: its file is read. */
struct disturbance disturbance_now(void);

/** What came between two readings. */
struct disturbance disturbance_between(struct disturbance before, struct disturbance after);

#endif
