/**
 * How long two processors take to hand a cache line over. Virtual cores change between a near and a
 * far state, within seconds and by the host's will; whatever goes through shared memory follows. So
 * each slice gets this beside it: by flags of our own in a page that two ranks share, never by the
 * measured library. Outside every batch.
 */
#ifndef LEADLINE_CORE_LATENCY_H
#define LEADLINE_CORE_LATENCY_H

#include <stdint.h>

/** What stands for a round trip that isn't known. */
enum { CORE_LATENCY_UNKNOWN = -1 };

/** The rank with which `rank` hands a line over: of 2k and 2k + 1 each is the other's. */
static inline int core_latency_partner(int rank)
{
    return rank ^ 1;
}

/**
 * Maps the file "$LEADLINE_CORE_LATENCY.<k>", which ranks 2k and 2k + 1 share where they share a
 * machine; without the variable, or where it can't be had, nothing is ever known. Call before the
 * first slice.
 */
void core_latency_open(int rank);

/**
 * The shortest mean round trip between this rank and its partner in ns, the same on both, right
 * after both have timed slice number `slice` (0 up, a new one each time). CORE_LATENCY_UNKNOWN
 * where the partner isn't on this machine, doesn't come in time or has no core. Takes usually 12 to
 * 50 us, 0.2 ms at most unless the core is taken away.
 */
int64_t core_latency_ns(int64_t slice);

#endif
