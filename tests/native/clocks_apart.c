/**
 * Ranks whose clocks are an hour apart, as those of hosts may be, for tests of what compares none:
 * linked in with "-Wl,--wrap=clock_gettime".
 */
#include <stdlib.h>
#include <time.h>

enum { APART_S = 3600 };

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    const char *rank = getenv("LEADLINE_RANK");
    const int status = __real_clock_gettime(clock, now);
    now->tv_sec += APART_S * (rank ? atoi(rank) : 0);
    return status;
}
