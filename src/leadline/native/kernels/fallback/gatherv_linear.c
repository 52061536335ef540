/** Gather of blocks of different lengths: the root receives from one rank after the other. */
#include <string.h>

#include "fallback/layout.h"

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
