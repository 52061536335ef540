/** Prefix reductions without the own elements: scan_recursive_doubling.c, which see. */
#include <string.h>

#include "fallback/combine.h"

enum { TAG = 32749 };

const char tp_exscan_algorithm[] = "recursive doubling";

void tp_exscan(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    const int rank = tp_rank(), size = tp_size();
    const size_t bytes = count * 8;
    char *other = combine_scratch(2 * bytes), *with_own = other + bytes;
    memcpy(with_own, from, bytes);
    for (int step = 1; step < size; step *= 2) {
        if (rank + step < size)
            tp_send(with_own, bytes, rank + step, TAG);
        if (rank < step)
            continue;
        tp_recv(other, bytes, rank - step, TAG);
        combine(with_own, other, count, type, op);
        if (step == 1)
            memcpy(to, other, bytes);
        else
            combine(to, other, count, type, op);
    }
}
