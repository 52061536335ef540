/** Scatter of blocks of different lengths: the root sends to one rank after the other. */
#include <string.h>

#include "fallback/layout.h"

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
