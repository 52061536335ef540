/**
 * The switch's pace among sleeps that end too late by what standard input says, a line each:
 *
 *   LATE_NS GAP_NS    the sleep is late by that, the next delivery so long after the last one
 *
 * Prints for each delivery by how much it would have been missed, how long was slept before it,
 * and by how much the next sleep will end before its time.
 */
#include <inttypes.h>
#include <stdio.h>

#include "pace.h"

int main(void)
{
    int64_t late_ns, gap_ns, now_ns = 0, due_ns = 0;
    struct pace pace = pace_begin(now_ns);
    while (scanf("%" SCNd64 " %" SCNd64, &late_ns, &gap_ns) == 2) {
        due_ns += gap_ns;
        const int64_t asked_ns = pace_sleep_ns(&pace, now_ns, due_ns);
        if (asked_ns > 0) {
            pace_slept(&pace, now_ns, asked_ns, now_ns + asked_ns + late_ns);
            now_ns += asked_ns + late_ns;
        }
        const int64_t missed_ns = now_ns > due_ns ? now_ns - due_ns : 0;
        now_ns += missed_ns ? 0 : due_ns - now_ns;
        printf("%" PRId64 " %" PRId64 " %" PRId64 "\n", missed_ns,
               asked_ns > 0 ? asked_ns + late_ns : 0, pace.ahead_ns);
    }
    return 0;
}
