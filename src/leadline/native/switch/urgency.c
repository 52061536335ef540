#include "urgency.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"

/* -- priority and memory ----------------------------------------------------------------------- */

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

/* -- vigil ------------------------------------------------------------------------------------- */

enum { SECONDS = 10 };

/** The kernel goes by the least number among those of all who hold this file open. */
static int hold(void)
{
    const int32_t most_us = 0;
    const int file = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
    if (file >= 0 && write(file, &most_us, sizeof most_us) == sizeof most_us)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

struct vigil vigil_begin(int64_t now_ns)
{
    struct vigil vigil = {.held = hold(), .until_ns = now_ns + (int64_t)SECONDS * NS_PER_S};
    if (vigil.held < 0)
        vigil.refused = errno;
    return vigil;
}

void vigil_prolong(struct vigil *vigil, int64_t now_ns)
{
    vigil->until_ns = now_ns + (int64_t)SECONDS * NS_PER_S;
    if (vigil->held < 0 && !vigil->refused)
        vigil->held = hold();
}

int64_t vigil_left_ns(struct vigil *vigil, int64_t now_ns)
{
    if (vigil->held >= 0 && now_ns < vigil->until_ns)
        return vigil->until_ns - now_ns;
    vigil_end(vigil);
    return INT64_MAX;
}

void vigil_end(struct vigil *vigil)
{
    if (vigil->held >= 0)
        close(vigil->held);
    vigil->held = -1;
}

/* -- cores ------------------------------------------------------------------------------------- */

enum { TURN_NS = 1000000, BRIEF_BYTES = 512 };

struct cores cores_begin(int64_t now_ns)
{
    struct cores cores = {.since_ns = now_ns};
    const int own = sched_getcpu();
    cores.own = own < 0 ? 0 : (size_t)own;
    if (sched_getaffinity(0, sizeof cores.usable, &cores.usable) < 0)
        CPU_ZERO(&cores.usable);
    return cores;
}

void cores_mind(struct cores *cores, int64_t now_ns, int32_t bytes)
{
    if (bytes > BRIEF_BYTES)
        cores->since_ns = now_ns;
}

void cores_take_turns(struct cores *cores, int64_t now_ns)
{
    if (now_ns - cores->since_ns < TURN_NS || CPU_COUNT(&cores->usable) < 2)
        return;
    do
        cores->own = (cores->own + 1) % CPU_SETSIZE;
    while (!CPU_ISSET(cores->own, &cores->usable));
    cpu_set_t next;
    CPU_ZERO(&next);
    CPU_SET(cores->own, &next);
    sched_setaffinity(0, sizeof next, &next);
    cores->since_ns = now_ns;
}
