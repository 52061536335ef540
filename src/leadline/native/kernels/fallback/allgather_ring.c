/** Allgather around a ring: in p - 1 steps each rank passes on the block that it got last. */
#include <string.h>

#include "transport/transport.h"

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
