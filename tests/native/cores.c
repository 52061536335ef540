/**
 * The switch's turns on cores by what standard input says, a line each, from 0 ns on:
 *
 *   NOW_NS BYTES    a frame of so many bytes came
 *
 * Prints after each the core whose turn it is, and that on which it runs; where no turn was taken
 * yet these may differ.
 */
#include <inttypes.h>
#include <stdio.h>

#include "urgency.h"

int main(void)
{
    int64_t now_ns;
    int32_t bytes;
    struct cores cores = cores_begin(0);
    while (scanf("%" SCNd64 " %" SCNd32, &now_ns, &bytes) == 2) {
        cores_mind(&cores, now_ns, bytes);
        cores_take_turns(&cores, now_ns);
        printf("%zu %d\n", cores.own, sched_getcpu());
    }
    return 0;
}
