#include "cores.h"

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
