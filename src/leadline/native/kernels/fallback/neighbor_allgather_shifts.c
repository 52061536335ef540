/** Neighbour allgather: all ranks send one way, then the other, in one dimension after the other.
 */
#include "transport/transport.h"

enum { TAG = 32748 };

const char tp_neighbor_allgather_algorithm[] = "shifts";

void tp_neighbor_allgather(const void *from, void *to, size_t bytes)
{
    const struct tp_grid *grid = tp_grid();
    char *blocks = to;
    for (int i = 0; i < 2 * grid->dimensions; i++) {
        const int opposite = i ^ 1;
        tp_sendrecv(from, bytes, grid->neighbour[i], blocks + (size_t)opposite * bytes, bytes,
                    grid->neighbour[opposite], TAG);
    }
}
