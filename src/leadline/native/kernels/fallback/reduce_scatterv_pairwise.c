/** Reduce-scatter of blocks of different lengths: reduce_scatter_pairwise.c, which see. */
#include <string.h>

#include "fallback/combine.h"
#include "fallback/layout.h"

enum { TAG = 32742 };

const char tp_reduce_scatterv_algorithm[] = "pairwise";

void tp_reduce_scatterv(const void *from, const struct tp_layout *blocks, void *to,
                        enum tp_type type, enum tp_op op)
{
    const int rank = tp_rank(), size = tp_size();
    const struct tp_layout own = layout_block(blocks, rank);
    const char *base = from;
    void *other = combine_scratch(own.count * 8);
    memcpy(to, base + own.displacement * 8, own.count * 8);
    for (int step = 1; step < size; step++) {
        const int dest = (rank + step) % size, source = (rank - step + size) % size;
        const struct tp_layout out = layout_block(blocks, dest);
        tp_sendrecv(base + out.displacement * 8, out.count * 8, dest, other, own.count * 8, source,
                    TAG);
        combine(to, other, own.count, type, op);
    }
}
