/**
 * Reads "SENT COMMON RECEIVED" lines from the standard input, a ping each, and prints what they say
 * of the clock: "HERE COMMON ERROR ROUND_TRIP". The only argument is the drift.
 *
 * Of four arguments, COUNT SPENT_NS SHORTEST_NS USUAL_NS, it prints whether such pings suffice.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/clocks/pings.h"

int main(int argc, char **argv)
{
    struct ping pings[MOST_PINGS];
    long count = 0;
    if (argc == 5)
        return printf("%d\n", pings_suffice(atol(argv[1]), atoll(argv[2]), atoll(argv[3]),
                                            atoll(argv[4]))) < 0;
    if (argc != 2)
        return 2;
    while (count < MOST_PINGS && scanf("%" SCNd64 "%" SCNd64 "%" SCNd64, &pings[count].sent_ns,
                                       &pings[count].common_ns, &pings[count].received_ns) == 3)
        count++;
    const struct reading reading = pings_settle(pings, count, atof(argv[1]));
    printf("%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", reading.here_ns, reading.common_ns,
           reading.error_ns, reading.round_trip_ns);
    return 0;
}
