/** Gather: the root receives from one rank after the other. */
#include <string.h>

#include "transport/transport.h"

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
