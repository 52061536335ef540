#include "engine/surroundings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel/handover.h"
#include "transport/job.h"

/* The rank's own totals innermost: to read the links' is a disturbance itself. */
void surroundings_begin(struct surroundings *around, bool links)
{
    if (links)
        links_read(&around->links_before);
    around->before = disturbance_now();
}

/* The hand-over last: both partners come to it at the same time, and it counts as no disturbance.
 */
void surroundings_end(struct surroundings *around, bool links, int64_t slice, int participants)
{
    around->after = disturbance_now();
    if (links)
        links_read(&around->links_after);
    const int rank = tp_rank();
    around->handover_ns =
        handover_partner(rank) < participants ? handover_ns(slice) : HANDOVER_UNKNOWN;
}

char *surroundings_words(const struct surroundings *around, bool links)
{
    const struct disturbance found = disturbance_between(around->before, around->after);
    char *carried = links ? links_words(&around->links_before, &around->links_after) : strdup("");
    char *words = NULL;
    if (!carried || asprintf(&words,
                             "window_ns=%" PRId64 " run_delay_ns=%" PRId64 " switches=%" PRId64
                             " faults=%" PRId64 " handover_ns=%" PRId64 "%s",
                             found.at_ns, found.run_delay_ns, found.switches, found.faults,
                             around->handover_ns, carried) < 0)
        abort();
    free(carried);
    return words;
}
