/** A relay to which six seconds go by between any two looks at the clock. */
#include <time.h>

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    static time_t passed_s;
    const int status = __real_clock_gettime(clock, now);
    passed_s += 6;
    now->tv_sec += passed_s;
    return status;
}
