/** Total exchange of blocks of different lengths: alltoall_pairwise.c, which see. */
#include <string.h>

#include "fallback/layout.h"

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
