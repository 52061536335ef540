/**
 * A slow-down that is planted: rank 0 computes before it sends a pattern's message, for as long as
 * LEADLINE_PLANTED says by size, e.g. "0:25,104:26.5" (bytes and nanoseconds). Linked in with
 * "-Wl,--wrap=tp_send". The tool's own messages have tags above these.
 */
#include <stdlib.h>

#include "channel/clock.h"
#include "transport/transport.h"

enum { MOST = 64, MOST_TAG = 100, TRIALS = 99, STEPS = 20000 };

struct delay {
    size_t bytes;
    long steps;
};

void __real_tp_send(const void *from, size_t bytes, int peer, int tag);
void __wrap_tp_send(const void *from, size_t bytes, int peer, int tag);

static struct delay delays[MOST];
static int known = -1;

/* A chain of multiplications: each waits for the one before. */
static void compute(long steps)
{
    uint64_t x = 1;
    for (long i = 0; i < steps; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    __asm__ volatile("" : : "r"(x)); /* needed by nobody, but computed */
}

static double steps_per_ns(void)
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < TRIALS; i++) {
        const int64_t begin = clock_now_ns();
        compute(STEPS);
        const int64_t elapsed = clock_now_ns() - begin;
        least = elapsed < least ? elapsed : least;
    }
    return STEPS / (double)(least > 0 ? least : 1);
}

static void learn(void)
{
    const char *at = getenv("LEADLINE_PLANTED");
    const double rate = steps_per_ns();
    known = 0;
    while (at && *at && known < MOST && tp_rank() == 0) {
        char *end;
        delays[known].bytes = strtoul(at, &end, 10);
        delays[known].steps = (long)(strtod(end + 1, &end) * rate);
        at = *end == ',' ? end + 1 : end;
        known++;
    }
}

static long steps_before(size_t bytes)
{
    for (int i = 0; i < known; i++)
        if (delays[i].bytes == bytes)
            return delays[i].steps;
    return 0;
}

void __wrap_tp_send(const void *from, size_t bytes, int peer, int tag)
{
    if (known < 0)
        learn();
    if (tag < MOST_TAG)
        compute(steps_before(bytes));
    __real_tp_send(from, bytes, peer, tag);
}
