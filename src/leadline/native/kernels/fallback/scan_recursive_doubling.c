/**
 * Prefix reductions by recursive doubling (Hillis and Steele 1986): after round k a rank holds the
 * combination of its 2^k predecessors and itself, and passes it on 2^k ranks further.
 */
#include <string.h>

#include "fallback/combine.h"

enum { TAG = 32753 };

const char tp_scan_algorithm[] = "recursive doubling";

void tp_scan(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    const int rank = tp_rank(), size = tp_size();
    const size_t bytes = count * 8;
    void *other = combine_scratch(bytes);
    memcpy(to, from, bytes);
    for (int step = 1; step < size; step *= 2) {
        if (rank + step < size)
            tp_send(to, bytes, rank + step, TAG);
        if (rank >= step) {
            tp_recv(other, bytes, rank - step, TAG);
            combine(to, other, count, type, op);
        }
    }
}
