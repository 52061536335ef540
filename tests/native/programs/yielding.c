/**
 * Preloaded, has ranks of libraries over UCX give way while they wait, which Debian's MPICH
 * doesn't: with more ranks than cores, what takes seconds takes as many tenths. What only a part of
 * a program sees is found by who calls it.
 */
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void *worker)
{
    static const char name[] = "ucp_worker_progress";
    static unsigned (*next)(void *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, name);
    Dl_info caller;
    if (!next && dladdr(__builtin_return_address(0), &caller))
        *(void **)&next = dlsym(dlopen(caller.dli_fname, RTLD_LAZY | RTLD_NOLOAD), name);
    const unsigned events = next(worker);
    if (!events)
        sched_yield();
    return events;
}
