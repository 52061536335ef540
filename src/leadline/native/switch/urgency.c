#include "urgency.h"

#include <errno.h>
#include <malloc.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

enum { PRIORITY = 50, KEPT_BYTES = 1 << 30 };

/** Where there is a limit nothing is locked: what goes beyond it couldn't be had at all. */
static int lock_memory(void)
{
    const struct rlimit none = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    const bool locked =
        setrlimit(RLIMIT_MEMLOCK, &none) == 0 && mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
    return locked ? 0 : errno;
}

struct urgency urgency_ask(void)
{
    const struct sched_param parameter = {.sched_priority = PRIORITY};
    struct urgency refused = {0};
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES); /* asking for it again would take a page fault each */
    mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
    if (sched_setscheduler(0, SCHED_FIFO, &parameter) < 0)
        refused.fifo = errno;
    refused.memory = lock_memory();
    prctl(PR_SET_TIMERSLACK, 1UL); /* where SCHED_FIFO was refused, sleeps are late by 50 us else */
    return refused;
}
