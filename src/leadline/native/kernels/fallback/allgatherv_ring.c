/** Allgather of blocks of different lengths around a ring: allgather_ring.c, which see. */
#include <string.h>

#include "fallback/layout.h"

enum { TAG = 32744 };

const char tp_allgatherv_algorithm[] = "ring";

void tp_allgatherv(const void *from, void *to, const struct tp_layout *blocks)
{
    const int rank = tp_rank(), size = tp_size();
    struct tp_layout mine = layout_block(blocks, rank);
    char *base = to;
    memcpy(base + mine.displacement, from, mine.count);
    for (int step = 1; step < size; step++) {
        const struct tp_layout next = layout_block(blocks, (rank - step + size) % size);
        tp_sendrecv(base + mine.displacement, mine.count, (rank + 1) % size,
                    base + next.displacement, next.count, (rank - 1 + size) % size, TAG);
        mine = next;
    }
}
