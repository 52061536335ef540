/**
 * The switch's turns on cores, at the moments that standard input says, in nanoseconds, a line
 * each, from 0 on. Prints the core on which it is after each.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cores.h"

int main(void)
{
    int64_t now_ns;
    struct cores cores = cores_begin(0);
    while (scanf("%" SCNd64, &now_ns) == 1) {
        cores_take_turns(&cores, now_ns);
        printf("%d\n", sched_getcpu());
    }
    return 0;
}
