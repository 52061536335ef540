/** Operations under way, by slot. What is sent is out when the call that sends it returns. */
#include "backends/trace/arrivals.h"
#include "backends/trace/log.h"
#include "backends/trace/progress.h"
#include "transport/transport.h"

const char tp_isend_algorithm[] = "send";

static struct slot {
    struct arrival receive;
    bool receives; /* until its message was found complete */
} slots[TP_MOST_REQUESTS];

void tp_isend(const void *from, size_t bytes, int peer, int tag, int slot)
{
    slots[slot].receives = false;
    tp_send(from, bytes, peer, tag);
}

void tp_irecv(void *to, size_t bytes, int peer, int tag, int slot)
{
    slots[slot].receives = true;
    arrivals_ask(&slots[slot].receive, to, bytes, peer, tag);
}

void tp_wait(int slot)
{
    const struct arrival *receive = &slots[slot].receive;
    if (!slots[slot].receives)
        return;
    progress_until(&receive->complete);
    slots[slot].receives = false;
    log_found("receive", receive->source, receive->bytes, receive->entry.tag, receive->depth);
}

void tp_waitall(int first, int count)
{
    for (int slot = first; slot < first + count; slot++)
        tp_wait(slot);
}

bool tp_test(int slot)
{
    if (slots[slot].receives && !slots[slot].receive.complete)
        progress();
    if (slots[slot].receives && !slots[slot].receive.complete)
        return false;
    tp_wait(slot);
    return true;
}
