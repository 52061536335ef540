/** Scatter: the root sends to one rank after the other. */
#include <string.h>

#include "transport/transport.h"

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
