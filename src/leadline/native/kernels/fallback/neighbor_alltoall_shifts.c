/** Neighbour alltoall: all ranks send one way, then the other, in one dimension after the other. */
#include "transport/transport.h"

enum { TAG = 32747 };

const char tp_neighbor_alltoall_algorithm[] = "shifts";

void tp_neighbor_alltoall(const void *from, void *to, size_t bytes)
{
    const struct tp_grid *grid = tp_grid();
    const char *blocks_out = from;
    char *blocks_in = to;
    for (int i = 0; i < 2 * grid->dimensions; i++) {
        const int opposite = i ^ 1;
        tp_sendrecv(blocks_out + (size_t)i * bytes, bytes, grid->neighbour[i],
                    blocks_in + (size_t)opposite * bytes, bytes, grid->neighbour[opposite], TAG);
    }
}
