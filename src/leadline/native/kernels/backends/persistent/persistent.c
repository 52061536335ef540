/**
 * Persistent operations of backends whose requests keep nothing from one start to the next: what
 * was prepared is written down, and started anew each time.
 */
#include "transport/transport.h"

const char tp_persistent_algorithm[] = "isend and irecv";

/** What tp_start starts. */
static struct persistent {
    void *at;
    size_t bytes;
    int peer, tag;
    bool receives;
} persistent[TP_MOST_REQUESTS];

void tp_send_init(const void *from, size_t bytes, int peer, int tag, int slot)
{
    persistent[slot] = (struct persistent){(void *)from, bytes, peer, tag, false};
}

void tp_recv_init(void *to, size_t bytes, int peer, int tag, int slot)
{
    persistent[slot] = (struct persistent){to, bytes, peer, tag, true};
}

void tp_start(int slot)
{
    const struct persistent *what = &persistent[slot];
    if (what->receives)
        tp_irecv(what->at, what->bytes, what->peer, what->tag, slot);
    else
        tp_isend(what->at, what->bytes, what->peer, what->tag, slot);
}

void tp_persistent_free(int slot)
{
    (void)slot;
}
