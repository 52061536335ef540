#include "channel/disturbance.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "channel/clock.h"

enum { UNKNOWN = -1, UNOPENED = -2 };

#ifdef LEADLINE_SIMULATED
/* What keeps the simulator waiting takes no simulated time. */
struct disturbance disturbance_now(void)
{
    return (struct disturbance){clock_now_ns(), 0, 0, 0};
}
#else
/* "<time run> <time waited> <turns>"; all zero where the kernel doesn't account for them. */
static int64_t run_delay_ns(void)
{
    static int schedstat = UNOPENED; /* stays open: a slice costs two reads and no search */
    char text[96];
    int64_t run = 0, waited = 0;
    if (schedstat == UNOPENED)
        schedstat = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
    const ssize_t length = pread(schedstat, text, sizeof text - 1, 0);
    if (length <= 0)
        return UNKNOWN;
    text[length] = '\0';
    const int read = sscanf(text, "%" SCNd64 " %" SCNd64, &run, &waited);
    return read == 2 && run > 0 ? waited : UNKNOWN;
}

struct disturbance disturbance_now(void)
{
    struct rusage usage;
    struct disturbance now = {clock_now_ns(), run_delay_ns(), UNKNOWN, UNKNOWN};
    if (getrusage(RUSAGE_THREAD, &usage) == 0) {
        now.switches = usage.ru_nivcsw;
        now.faults = usage.ru_minflt;
    }
    return now;
}
#endif

static int64_t between(int64_t before, int64_t after)
{
    return before == UNKNOWN || after == UNKNOWN ? UNKNOWN : after - before;
}

struct disturbance disturbance_between(struct disturbance before, struct disturbance after)
{
    return (struct disturbance){
        between(before.at_ns, after.at_ns),
        between(before.run_delay_ns, after.run_delay_ns),
        between(before.switches, after.switches),
        between(before.faults, after.faults),
    };
}
