#include "urgency.h"

#include <errno.h>
#include <malloc.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>

enum { PRIORITY = 50, KEPT_BYTES = 1 << 30 };

struct urgency urgency_ask(void)
{
    const struct sched_param parameter = {.sched_priority = PRIORITY};
    struct urgency refused = {0};
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES); /* asking for it again would take a page fault each */
    mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
    if (sched_setscheduler(0, SCHED_FIFO, &parameter) < 0)
        refused.fifo = errno;
    if (mlockall(MCL_CURRENT | MCL_FUTURE) < 0)
        refused.memory = errno;
    prctl(PR_SET_TIMERSLACK, 1UL); /* where SCHED_FIFO was refused, sleeps are late by 50 us else */
    return refused;
}
