/** Operations under way, by slot. */
#include "backends/matching/requests.h"
#include "transport/transport.h"

const char tp_persistent_algorithm[] = "isend and irecv";

static struct request slots[TP_MOST_REQUESTS];

/** What tp_start starts. */
static struct persistent {
    void *at;
    size_t bytes;
    int peer, tag;
    bool receives;
} persistent[TP_MOST_REQUESTS];

void tp_isend(const void *from, size_t bytes, int peer, int tag, int slot)
{
    requests_send(&slots[slot], wire_send_of(from, bytes, peer, tag));
}

void tp_irecv(void *to, size_t bytes, int peer, int tag, int slot)
{
    requests_receive(&slots[slot], wire_receive_of(to, bytes, peer, tag));
}

void tp_wait(int slot)
{
    requests_wait(&slots[slot]);
}

void tp_waitall(int first, int count)
{
    for (int slot = first; slot < first + count; slot++)
        requests_wait(&slots[slot]);
}

bool tp_test(int slot)
{
    if (!slots[slot].complete)
        requests_progress();
    return slots[slot].complete;
}

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
