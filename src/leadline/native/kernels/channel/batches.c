#include "channel/batches.h"

#include <stdio.h>
#include <string.h>

const struct flag batch_flags[] = {
    {"warm_up", FLAG_WARM_UP},       {"late", FLAG_LATE},   {"clock_bound", FLAG_CLOCK_BOUND},
    {"miscounted", FLAG_MISCOUNTED}, {"apart", FLAG_APART}, {NULL, 0},
};

void rec_reserve(struct record *record, size_t batches)
{
    if (batches <= record->room)
        return;
    struct batch *grown = realloc(record->batches, batches * sizeof *grown);
    if (!grown) {
        fprintf(stderr, "leadline kernel: no memory for %zu batches\n", batches);
        abort();
    }
    /* touched now: a first page fault inside a batch would be measured */
    memset(grown + record->room, 0, (batches - record->room) * sizeof *grown);
    record->batches = grown;
    record->room = batches;
}
