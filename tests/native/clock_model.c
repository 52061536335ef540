/**
 * Reads "HERE COMMON ERROR ROUND_TRIP" lines from the standard input, what a clock showed, and
 * prints after each the model by all of them so far: "HERE COMMON DRIFT THERE BACK", where THERE is
 * what the common clock shows a second after HERE, and BACK what this one shows then.
 */
#include <inttypes.h>
#include <stdio.h>

#include "engine/clocks/model.h"

enum { SECOND_NS = 1000000000 };

int main(void)
{
    struct readings readings = {0};
    struct reading next;
    while (scanf("%" SCNd64 "%" SCNd64 "%" SCNd64 "%" SCNd64, &next.here_ns, &next.common_ns,
                 &next.error_ns, &next.round_trip_ns) == 4) {
        readings_add(&readings, next);
        const struct model model = model_of(&readings);
        const int64_t there = model_common_ns(&model, model.here_ns + SECOND_NS);
        printf("%" PRId64 " %" PRId64 " %.12g %" PRId64 " %" PRId64 "\n", model.here_ns,
               model.common_ns, model.drift, there, model_here_ns(&model, there));
    }
    return 0;
}
