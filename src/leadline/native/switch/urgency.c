#include "urgency.h"

#include <errno.h>
#include <malloc.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

enum { PRIORITY = 50, KEPT_BYTES = 1 << 30 };

/**
 * Only for one who has the right to lock all there will be: nobody else can lock more than 0 bytes.
 * With memory that is limited, what goes beyond couldn't be had at all.
 */
static int lock_memory(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_MEMLOCK, &limit);
    limit.rlim_cur = 0;
    setrlimit(RLIMIT_MEMLOCK, &limit);
    return mlockall(MCL_CURRENT | MCL_FUTURE) == 0 ? 0 : errno;
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
