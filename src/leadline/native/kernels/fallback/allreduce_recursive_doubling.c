/**
 * Allreduce by recursive doubling (Thakur, Rabenseifner and Gropp 2005): log2 p exchanges of the
 * whole vector. Ranks beyond the largest power of two first fold theirs into a partner's.
 */
#include <string.h>

#include "fallback/combine.h"

enum { TAG = 32762 };

const char tp_allreduce_algorithm[] = "recursive doubling";

void tp_allreduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    const int rank = tp_rank(), size = tp_size();
    const size_t bytes = count * 8;
    void *other = combine_scratch(bytes);
    int core = 1; /* the ranks that take part in the exchanges: a power of two */
    while (core * 2 <= size)
        core *= 2;
    memcpy(to, from, bytes);
    if (rank >= core) {
        tp_send(to, bytes, rank - core, TAG);
        tp_recv(to, bytes, rank - core, TAG);
        return;
    }
    if (rank + core < size) {
        tp_recv(other, bytes, rank + core, TAG);
        combine(to, other, count, type, op);
    }
    for (int step = 1; step < core; step *= 2) {
        tp_sendrecv(to, bytes, rank ^ step, other, bytes, rank ^ step, TAG);
        combine(to, other, count, type, op);
    }
    if (rank + core < size)
        tp_send(to, bytes, rank + core, TAG);
}
