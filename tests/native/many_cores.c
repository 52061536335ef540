/**
 * A machine of $MANY_CORES cores, of which this process may run on every second one: linked in
 * with "-Wl,--wrap=sched_getaffinity". As with the real one, the set must have room for all cores.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>

int __wrap_sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *allowed);

int __wrap_sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *allowed)
{
    const size_t cores = strtoul(getenv("MANY_CORES"), NULL, 10);
    (void)process;
    if (bytes * 8 < cores) {
        errno = EINVAL;
        return -1;
    }
    CPU_ZERO_S(bytes, allowed);
    for (size_t core = 0; core < cores; core += 2)
        CPU_SET_S(core, bytes, allowed);
    return 0;
}
