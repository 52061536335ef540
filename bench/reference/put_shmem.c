/**
 * The put that one would write by hand: shmem_putmem and shmem_quiet straight in the loop. Linked
 * into a kernel as its extra pattern, it shares process, library, memory and clock with the tool's.
 */
#include <shmem.h>

#include "patterns/pattern.h"

static void put_by_hand(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    char *out = ring_at(&cell->out, 0), *in = ring_at(&cell->in, 0);
    if (cell->rank != 0)
        return;
    for (long i = first; i < last; i++) {
        shmem_putmem(in, out, bytes, 1);
        shmem_quiet();
    }
}

const struct pattern pattern_extra = {
    .name = "put_by_hand",
    .summary = "a put into rank 1's memory, written by hand",
    .algorithm = "native",
    .participants = 2,
    .messages_per_repetition = 1,
    .granularity = 1,
    .symmetric = true,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = put_by_hand,
};
