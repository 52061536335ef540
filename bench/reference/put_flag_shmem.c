/**
 * The ping-pong of puts and flags that one would write by hand. Linked into a kernel as its extra
 * pattern, it shares process, library, memory and clock with the tool's.
 */
#include <shmem.h>

#include "patterns/pattern.h"

static void put_flag_by_hand(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    char *out = ring_at(&cell->out, 0), *in = ring_at(&cell->in, 0);
    uint64_t *flag = word_at(cell, 0);
    const int peer = 1 - cell->rank;
    for (long i = first; i < last; i++) {
        if (cell->rank == 1)
            shmem_ulong_wait_until(flag, SHMEM_CMP_EQ, (uint64_t)i + 1);
        shmem_putmem(in, out, bytes, peer);
        shmem_fence();
        shmem_ulong_atomic_set(flag, (uint64_t)i + 1, peer);
        if (cell->rank == 0)
            shmem_ulong_wait_until(flag, SHMEM_CMP_EQ, (uint64_t)i + 1);
    }
}

const struct pattern pattern_extra = {
    .name = "put_flag_by_hand",
    .summary = "half round trip by puts with flags, written by hand",
    .algorithm = "native",
    .participants = 2,
    .messages_per_repetition = 2,
    .granularity = 1,
    .symmetric = true,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = put_flag_by_hand,
};
