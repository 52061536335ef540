/**
 * Collectives in which each rank gets a block of each other. Each operation is an archive member of
 * its own, as absent.c explains.
 */
#include <string.h>

#include "fallback/layout.h"
#include "transport/transport.h"

/* Allgather around a ring: in p - 1 steps each rank passes on the block that it got last. */
#ifdef GROUP_allgather
enum { TAG = 32756 };

const char tp_allgather_algorithm[] = "ring";

void tp_allgather(const void *from, void *to, size_t bytes)
{
    const int rank = tp_rank(), size = tp_size();
    char *blocks = to;
    memcpy(blocks + (size_t)rank * bytes, from, bytes);
    for (int step = 0; step < size - 1; step++) {
        const size_t mine = (size_t)((rank - step + size) % size);
        const size_t next = (size_t)((rank - step - 1 + size) % size);
        tp_sendrecv(blocks + mine * bytes, bytes, (rank + 1) % size, blocks + next * bytes, bytes,
                    (rank - 1 + size) % size, TAG);
    }
}
#endif

/* The same of blocks of different lengths. */
#ifdef GROUP_allgatherv
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
#endif

/* Total exchange in p - 1 steps: in step k with the ranks k before and behind. */
#ifdef GROUP_alltoall
enum { TAG = 32755 };

const char tp_alltoall_algorithm[] = "pairwise";

void tp_alltoall(const void *from, void *to, size_t bytes)
{
    const int rank = tp_rank(), size = tp_size();
    const char *blocks_out = from;
    char *blocks_in = to;
    memcpy(blocks_in + (size_t)rank * bytes, blocks_out + (size_t)rank * bytes, bytes);
    for (int step = 1; step < size; step++) {
        const int dest = (rank + step) % size, source = (rank - step + size) % size;
        tp_sendrecv(blocks_out + (size_t)dest * bytes, bytes, dest,
                    blocks_in + (size_t)source * bytes, bytes, source, TAG);
    }
}
#endif

/* The same of blocks of different lengths. */
#ifdef GROUP_alltoallv
enum { TAG = 32743 };

const char tp_alltoallv_algorithm[] = "pairwise";

void tp_alltoallv(const void *from, const struct tp_layout *sent, void *to,
                  const struct tp_layout *received)
{
    const int rank = tp_rank(), size = tp_size();
    const char *base_out = from;
    char *base_in = to;
    for (int step = 0; step < size; step++) {
        const int dest = (rank + step) % size, source = (rank - step + size) % size;
        const struct tp_layout out = layout_block(sent, dest), in = layout_block(received, source);
        if (step == 0)
            memcpy(base_in + in.displacement, base_out + out.displacement, in.count);
        else
            tp_sendrecv(base_out + out.displacement, out.count, dest, base_in + in.displacement,
                        in.count, source, TAG);
    }
}
#endif
