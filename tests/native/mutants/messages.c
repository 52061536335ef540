/** Faults in two-sided messages, their modes, datatypes and packing. */
#include "mutants.h"

#include <stdlib.h>

#include "complete.h"
#include "threads.h"
#include "turns.h"

enum { FIRST_THREADS_SLOT = 1000, FIRST_THREADS_TAG = 11 };

static struct call *under_way[TP_MOST_REQUESTS];

void __real_tp_isend(const void *from, size_t bytes, int peer, int tag, int slot);
void __real_tp_irecv(void *to, size_t bytes, int peer, int tag, int slot);
bool __real_tp_test(int slot);

/* Raw shared memory waits for one message at a time: each thread starts its own and looks. */
static void through(int slot)
{
    while (!__real_tp_test(slot))
        threads_pass();
}

static void send_by_thread(const void *from, size_t bytes, int peer, int tag)
{
    const int slot = FIRST_THREADS_SLOT + 2 * (tag - FIRST_THREADS_TAG);
    __real_tp_isend(from, bytes, peer, tag, slot);
    through(slot);
}

static void receive_by_thread(void *to, size_t bytes, int peer, int tag)
{
    const int slot = FIRST_THREADS_SLOT + 2 * (tag - FIRST_THREADS_TAG) + 1;
    __real_tp_irecv(to, bytes, peer, tag, slot);
    through(slot);
}

TAKEN(void, send, (const void *from, size_t bytes, int peer, int tag))
{
    struct call *call = call_begin("send", tag);
    const void *sent = call_from(call, from, bytes);
    if (with_threads && call->counted)
        send_by_thread(sent, bytes, peer, tag);
    else if (!call_is(call, LOST))
        __real_tp_send(sent, bytes, peer, tag);
    call_end(call);
}

TAKEN(void, recv, (void *to, size_t bytes, int peer, int tag))
{
    struct call *call = call_begin("recv", tag);
    call_into(call, to, bytes);
    if (with_threads && call->counted)
        receive_by_thread(to, bytes, peer, tag);
    else
        __real_tp_recv(to, bytes, peer, tag);
    call_end(call);
}

TAKEN(void, sendrecv,
      (const void *from, size_t send_bytes, int dest, void *to, size_t recv_bytes, int source,
       int tag))
{
    struct call *call = call_begin("sendrecv", tag);
    call_into(call, to, recv_bytes);
    __real_tp_sendrecv(from, send_bytes, dest, to, recv_bytes, source, tag);
    call_end(call);
}

TAKEN(void, ssend, (const void *from, size_t bytes, int peer, int tag))
{
    struct call *call = call_begin("ssend", tag);
    __real_tp_ssend(call_from(call, from, bytes), bytes, peer, tag);
    call_end(call);
}

TAKEN(void, bsend, (const void *from, size_t bytes, int peer, int tag))
{
    struct call *call = call_begin("bsend", tag);
    __real_tp_bsend(call_from(call, from, bytes), bytes, peer, tag);
    call_end(call);
}

TAKEN(int, recv_any, (void *to, size_t bytes, int tag))
{
    struct call *call = call_begin("recv_any", tag);
    call_into(call, to, bytes);
    const int source = __real_tp_recv_any(to, bytes, tag);
    call_end(call);
    return source;
}

TAKEN(void, isend, (const void *from, size_t bytes, int peer, int tag, int slot))
{
    struct call *call = call_begin("isend", tag);
    collective_slot[slot] = false;
    __real_tp_isend(call_from(call, from, bytes), bytes, peer, tag, slot);
    call_end(call);
}

TAKEN(void, irecv, (void *to, size_t bytes, int peer, int tag, int slot))
{
    struct call *call = call_begin("irecv", tag);
    collective_slot[slot] = false;
    call_into(call, to, bytes);
    __real_tp_irecv(to, bytes, peer, tag, slot);
    under_way[slot] = call;
    call_leave(call);
}

static void complete(int slot)
{
    if (under_way[slot])
        call_complete(under_way[slot]);
    under_way[slot] = NULL;
}

TAKEN(void, wait, (int slot))
{
    if (!collective_slot[slot])
        __real_tp_wait(slot);
    complete(slot);
}

TAKEN(void, waitall, (int first, int count))
{
    __real_tp_waitall(first, count);
    for (int slot = first; slot < first + count; slot++)
        complete(slot);
}

TAKEN(bool, test, (int slot))
{
    const bool done = collective_slot[slot] || __real_tp_test(slot);
    if (done)
        complete(slot);
    else
        turns_pass();
    return done;
}

/** A persistent operation: its buffer, and the one that it is bound to. */
static struct persistent {
    const void *from;
    void *to;
    size_t bytes;
    char *bound;
} persistent[TP_MOST_REQUESTS];

static char *bound_to(int slot, const void *from, void *to, size_t bytes)
{
    persistent[slot] = (struct persistent){from, to, bytes, calloc(1, bytes + 1)};
    return persistent[slot].bound;
}

TAKEN(void, send_init, (const void *from, size_t bytes, int peer, int tag, int slot))
{
    collective_slot[slot] = false;
    __real_tp_send_init(bound_to(slot, from, NULL, bytes), bytes, peer, tag, slot);
}

TAKEN(void, recv_init, (void *to, size_t bytes, int peer, int tag, int slot))
{
    bound_to(slot, NULL, to, bytes);
    collective_slot[slot] = false;
    __real_tp_recv_init(to, bytes, peer, tag, slot);
}

TAKEN(void, persistent_free, (int slot))
{
    __real_tp_persistent_free(slot);
    free(persistent[slot].bound);
    persistent[slot].bound = NULL;
}

TAKEN(void, start, (int slot))
{
    const struct persistent *bound = &persistent[slot];
    struct call *call = call_begin(bound->from ? "start_send" : "start_recv", 0);
    if (bound->from)
        __builtin_memcpy(bound->bound, call_from(call, bound->from, bound->bytes), bound->bytes);
    else
        call_into(call, bound->to, bound->bytes);
    __real_tp_start(slot);
    if (bound->from) {
        call_end(call);
        return;
    }
    under_way[slot] = call;
    call_leave(call);
}

TAKEN(void, send_datatype, (const void *from, const struct tp_datatype *type, int peer, int tag))
{
    struct call *call = call_begin("send_datatype", tag);
    __real_tp_send_datatype(call_from(call, from, datatype_bytes(type)), type, peer, tag);
    call_end(call);
}

TAKEN(void, recv_datatype, (void *to, const struct tp_datatype *type, int peer, int tag))
{
    struct call *call = call_begin("recv_datatype", tag);
    call_into(call, to, datatype_bytes(type));
    __real_tp_recv_datatype(to, type, peer, tag);
    call_end(call);
}

TAKEN(void, pack, (const void *from, size_t bytes))
{
    struct call *call = call_begin("pack", 0);
    __real_tp_pack(call_from(call, from, bytes), bytes);
    call_end(call);
}

TAKEN(void, send_packed, (int peer, int tag))
{
    struct call *call = call_begin("send_packed", tag);
    struct packed right = packed_out;
    __builtin_memcpy(packed_out.at, call_from(call, right.at, right.bytes), right.bytes);
    __real_tp_send_packed(peer, tag);
    packed_out = right;
    call_end(call);
}

TAKEN(void, recv_packed, (size_t bytes, int peer, int tag))
{
    struct call *call = call_begin("recv_packed", tag);
    call_into(call, packed_in.at, bytes);
    __real_tp_recv_packed(bytes, peer, tag);
    call_end(call);
}

TAKEN(void, unpack, (void *to, size_t bytes))
{
    struct call *call = call_begin("unpack", 0);
    call_into(call, to, bytes);
    __real_tp_unpack(to, bytes);
    call_end(call);
}
