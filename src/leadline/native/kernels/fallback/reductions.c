/**
 * Reductions without a root. Each operation is an archive member of its own, as absent.c explains.
 */
#include <string.h>

#include "fallback/combine.h"
#include "fallback/layout.h"

/*
 * Allreduce by recursive doubling (Thakur, Rabenseifner and Gropp 2005): log2 p exchanges of the
 * whole vector. Ranks beyond the largest power of two first fold theirs into a partner's.
 */
#ifdef GROUP_allreduce
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
#endif

/* Reduce-scatter by p - 1 pairwise exchanges of one block each (Thakur et al. 2005). */
#ifdef GROUP_reduce_scatter
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
#endif

/* The same of blocks of different lengths. */
#ifdef GROUP_reduce_scatterv
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
#endif

/*
 * Prefix reductions by recursive doubling (Hillis and Steele 1986): after round k a rank holds the
 * combination of its 2^k predecessors and itself, and passes it on 2^k ranks further.
 */
#ifdef GROUP_scan
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
#endif

/* The same without the own elements. */
#ifdef GROUP_exscan
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
#endif
