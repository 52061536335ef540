/**
 * Collectives with a root. Each operation is an archive member of its own, as absent.c explains.
 */
#include <string.h>

#include "fallback/combine.h"
#include "fallback/layout.h"
#include "transport/transport.h"

/* Broadcast along a binomial tree: ceil(log2 p) rounds, each rank sends after it has received. */
#ifdef GROUP_bcast
enum { TAG = 32761 };

const char tp_bcast_algorithm[] = "binomial";

void tp_bcast(void *buffer, size_t bytes, int root)
{
    const int size = tp_size(), place = (tp_rank() - root + size) % size;
    int step = 1;
    for (; step <= place; step *= 2)
        if (place < 2 * step)
            tp_recv(buffer, bytes, (place - step + root) % size, TAG);
    for (; place + step < size; step *= 2)
        tp_send(buffer, bytes, (place + step + root) % size, TAG);
}
#endif

/* Reduction along a binomial tree: ceil(log2 p) rounds, half of the ranks left send in each. */
#ifdef GROUP_reduce
enum { TAG = 32759 };

const char tp_reduce_algorithm[] = "binomial";

void tp_reduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op, int root)
{
    const int size = tp_size(), place = (tp_rank() - root + size) % size;
    const size_t bytes = count * 8;
    char *other = combine_scratch(2 * bytes), *sum = place == 0 ? to : other + bytes;
    memcpy(sum, from, bytes);
    for (int step = 1; step < size; step *= 2) {
        if (place & step) {
            tp_send(sum, bytes, (place - step + root) % size, TAG);
            return;
        }
        if (place + step < size) {
            tp_recv(other, bytes, (place + step + root) % size, TAG);
            combine(sum, other, count, type, op);
        }
    }
}
#endif

/* Gather: the root receives from one rank after the other. */
#ifdef GROUP_gather
enum { TAG = 32758 };

const char tp_gather_algorithm[] = "linear";

void tp_gather(const void *from, void *to, size_t bytes, int root)
{
    char *blocks = to;
    if (tp_rank() != root) {
        tp_send(from, bytes, root, TAG);
        return;
    }
    for (int peer = 0; peer < tp_size(); peer++)
        if (peer == root)
            memcpy(blocks + (size_t)peer * bytes, from, bytes);
        else
            tp_recv(blocks + (size_t)peer * bytes, bytes, peer, TAG);
}
#endif

/* Gather of blocks of different lengths: the root receives from one rank after the other. */
#ifdef GROUP_gatherv
enum { TAG = 32746 };

const char tp_gatherv_algorithm[] = "linear";

void tp_gatherv(const void *from, void *to, const struct tp_layout *blocks, int root)
{
    char *base = to;
    if (tp_rank() != root) {
        tp_send(from, layout_block(blocks, tp_rank()).count, root, TAG);
        return;
    }
    for (int peer = 0; peer < tp_size(); peer++) {
        const struct tp_layout block = layout_block(blocks, peer);
        if (peer == root)
            memcpy(base + block.displacement, from, block.count);
        else
            tp_recv(base + block.displacement, block.count, peer, TAG);
    }
}
#endif

/* Scatter: the root sends to one rank after the other. */
#ifdef GROUP_scatter
enum { TAG = 32757 };

const char tp_scatter_algorithm[] = "linear";

void tp_scatter(const void *from, void *to, size_t bytes, int root)
{
    const char *blocks = from;
    if (tp_rank() != root) {
        tp_recv(to, bytes, root, TAG);
        return;
    }
    for (int peer = 0; peer < tp_size(); peer++)
        if (peer == root)
            memcpy(to, blocks + (size_t)peer * bytes, bytes);
        else
            tp_send(blocks + (size_t)peer * bytes, bytes, peer, TAG);
}
#endif

/* Scatter of blocks of different lengths: the root sends to one rank after the other. */
#ifdef GROUP_scatterv
enum { TAG = 32745 };

const char tp_scatterv_algorithm[] = "linear";

void tp_scatterv(const void *from, const struct tp_layout *blocks, void *to, int root)
{
    const char *base = from;
    if (tp_rank() != root) {
        tp_recv(to, layout_block(blocks, tp_rank()).count, root, TAG);
        return;
    }
    for (int peer = 0; peer < tp_size(); peer++) {
        const struct tp_layout block = layout_block(blocks, peer);
        if (peer == root)
            memcpy(to, base + block.displacement, block.count);
        else
            tp_send(base + block.displacement, block.count, peer, TAG);
    }
}
#endif
