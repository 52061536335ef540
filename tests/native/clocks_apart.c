/**
 * Ranks whose clocks are an hour apart, as those of hosts may be: linked in with
 * "-Wl,--wrap=clock_gettime". With -DDRIFT_PPM=N rank R's gains besides R * N microseconds in each
 * second since the host's clock was 0.
 */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#ifndef DRIFT_PPM
#define DRIFT_PPM 0
#endif

enum { APART_S = 3600, SECOND_NS = 1000000000 };

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    static int rank = -1;
    if (rank < 0) {
        const char *word = getenv("LEADLINE_RANK");
        rank = word ? atoi(word) : 0;
    }
    const int status = __real_clock_gettime(clock, now);
    const int64_t since_ns = (int64_t)now->tv_sec * SECOND_NS + now->tv_nsec;
    const int64_t gained_ns = since_ns / 1000 * DRIFT_PPM / 1000 * rank;
    const int64_t shown_ns = since_ns + gained_ns + (int64_t)APART_S * SECOND_NS * rank;
    now->tv_sec = (time_t)(shown_ns / SECOND_NS);
    now->tv_nsec = (long)(shown_ns % SECOND_NS);
    return status;
}
