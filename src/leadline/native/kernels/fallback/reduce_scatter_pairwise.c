/** Reduce-scatter by p - 1 pairwise exchanges of one block each (Thakur et al. 2005). */
#include <string.h>

#include "fallback/combine.h"

enum { TAG = 32754 };

const char tp_reduce_scatter_algorithm[] = "pairwise";

void tp_reduce_scatter(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    const int rank = tp_rank(), size = tp_size();
    const size_t bytes = count * 8;
    const char *blocks = from;
    void *other = combine_scratch(bytes);
    memcpy(to, blocks + (size_t)rank * bytes, bytes);
    for (int step = 1; step < size; step++) {
        const int dest = (rank + step) % size, source = (rank - step + size) % size;
        tp_sendrecv(blocks + (size_t)dest * bytes, bytes, dest, other, bytes, source, TAG);
        combine(to, other, count, type, op);
    }
}
