/**
 * Simulated time: of a library that plays all ranks in one process, one at a time, on a machine
 * that it simulates. A rank gives way to the others where it calls the library and nowhere else: if
 * it waits for anything besides (a clock, a socket), all of them wait, and time stands still.
 */
#ifndef LEADLINE_TRANSPORT_SIMULATION_H
#define LEADLINE_TRANSPORT_SIMULATION_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

extern const char tp_simulation_algorithm[];

/** Nanoseconds since the job began; the same on all ranks. */
int64_t tp_now_ns(void);

/** Returns `ns` nanoseconds later; the other ranks go on meanwhile. */
void tp_sleep_ns(int64_t ns);

/** Whether ranks and time are simulated. */
static inline bool tp_simulated(void)
{
    return strcmp(tp_simulation_algorithm, "absent") != 0;
}

#endif
