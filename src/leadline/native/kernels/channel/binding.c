#include "channel/binding.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static long core_of(const char *cores, long rank)
{
    char *rest;
    for (;; cores = rest + 1) {
        const long core = strtol(cores, &rest, 10);
        if (rest == cores)
            return -1;
        if (rank-- == 0)
            return core;
        if (*rest != ',')
            return -1;
    }
}

static void bind_to(long entry)
{
    const char *cores = getenv("LEADLINE_BIND");
    if (!cores)
        return;
    const long core = core_of(cores, entry);
    cpu_set_t one;
    if (core < 0 || core >= CPU_SETSIZE)
        return;
    CPU_ZERO(&one);
    CPU_SET((size_t)core, &one);
    sched_setaffinity(0, sizeof one, &one);
}

void binding_apply(void)
{
    const char *variable = getenv("LEADLINE_RANK_VARIABLE");
    const char *rank = variable ? getenv(variable) : NULL;
    if (rank)
        bind_to(strtol(rank, NULL, 10));
}

void binding_apply_second(int rank, int ranks)
{
    bind_to((long)ranks + rank);
}

void binding_cores(char *text, size_t room)
{
    cpu_set_t allowed;
    size_t used = 0;
    text[0] = '\0';
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof allowed, &allowed);
    for (size_t core = 0; core < CPU_SETSIZE; core++) {
        if (!CPU_ISSET(core, &allowed))
            continue;
        const int length = snprintf(text + used, room - used, used ? ",%zu" : "%zu", core);
        if (length < 0 || (size_t)length >= room - used)
            return;
        used += (size_t)length;
    }
}
