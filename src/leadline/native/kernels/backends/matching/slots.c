/** Operations under way, by slot. */
#include "backends/matching/requests.h"
#include "transport/transport.h"

static struct request slots[TP_MOST_REQUESTS];

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
