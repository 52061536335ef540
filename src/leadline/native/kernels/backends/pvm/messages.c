/**
 * Messages: packed before each send and unpacked after each receive, as PVM's users do.
 *
 * PVM has no operations under way. A send has copied the message when it returns; a receive under
 * way is one that is called when it is waited for, and takes messages in for those before it.
 */
#include <pvm3.h>
#include <string.h>

#include "backends/pvm/machine.h"
#include "backends/pvm/packing.h"
#include "backends/queue/queue.h"
#include "transport/transport.h"

const char tp_send_algorithm[] = "native";
const char tp_matching_algorithm[] = "native";
const char tp_isend_algorithm[] = "send, receive when waited for";

enum { ANY_TASK = -1 };

/** A receive that has been called, or (complete) nothing. */
struct receive {
    struct entry entry; /* among those under way; its source is the message's once it has come */
    char *to;
    size_t bytes;
    bool complete;
};

static struct queue receives; /* in the order in which they were called */
static struct receive slots[TP_MOST_REQUESTS];

void tp_send(const void *from, size_t bytes, int peer, int tag)
{
    pvm_initsend(machine.encoding);
    pack(from, bytes);
    machine_checked(pvm_send(machine.tids[peer], tag), "pvm_send");
}

/* XDR fills a message up to a multiple of 4 bytes: what is up to 3 bytes too long isn't noticed. */
static size_t room_for(size_t bytes)
{
    return machine.encoding == PvmDataDefault ? (bytes + 3) / 4 * 4 : bytes;
}

static int rank_of(int tid)
{
    int rank = 0;
    while (machine.tids[rank] != tid)
        rank++;
    return rank;
}

static int task_of(const struct receive *receive)
{
    return receive->entry.source == ANY_SOURCE ? ANY_TASK : machine.tids[receive->entry.source];
}

static void call(struct receive *receive, void *to, size_t bytes, int source, int tag)
{
    *receive = (struct receive){.entry = {.source = source, .tag = tag}, .to = to, .bytes = bytes};
    queue_add(&receives, &receive->entry);
}

/* Unpacks what PVM has received into the first receive that it fits. */
static void deliver(int message)
{
    int length, tag, tid;
    machine_checked(pvm_bufinfo(message, &length, &tag, &tid), "pvm_bufinfo");
    const int source = rank_of(tid);
    struct receive *receive = (void *)queue_take(&receives, source, tag);
    if ((size_t)length > room_for(receive->bytes))
        machine_fail("a message of rank %d doesn't fit its receive: expected at most %zu bytes, "
                     "seen tag %d and %d bytes",
                     source, receive->bytes, tag, length);
    unpack(receive->to, (size_t)length < receive->bytes ? (size_t)length : receive->bytes);
    receive->entry.source = source;
    receive->complete = true;
}

static void wait_for(struct receive *receive)
{
    while (!receive->complete)
        deliver(machine_checked(pvm_recv(task_of(receive), receive->entry.tag), "pvm_recv"));
}

int tp_recv_any(void *to, size_t bytes, int tag)
{
    struct receive receive;
    call(&receive, to, bytes, ANY_SOURCE, tag);
    wait_for(&receive);
    return receive.entry.source;
}

void tp_recv(void *to, size_t bytes, int peer, int tag)
{
    struct receive receive;
    call(&receive, to, bytes, peer, tag);
    wait_for(&receive);
}

/* libpvm takes messages in while it waits to get one out, so that this can't deadlock. */
void tp_sendrecv(const void *from, size_t send_bytes, int dest, void *to, size_t recv_bytes,
                 int source, int tag)
{
    tp_send(from, send_bytes, dest, tag);
    tp_recv(to, recv_bytes, source, tag);
}

void tp_isend(const void *from, size_t bytes, int peer, int tag, int slot)
{
    tp_send(from, bytes, peer, tag);
    slots[slot].complete = true;
}

void tp_irecv(void *to, size_t bytes, int peer, int tag, int slot)
{
    call(&slots[slot], to, bytes, peer, tag);
}

void tp_wait(int slot)
{
    wait_for(&slots[slot]);
}

void tp_waitall(int first, int count)
{
    for (int slot = first; slot < first + count; slot++)
        wait_for(&slots[slot]);
}

bool tp_test(int slot)
{
    struct receive *receive = &slots[slot];
    while (!receive->complete) {
        const int message =
            machine_checked(pvm_nrecv(task_of(receive), receive->entry.tag), "pvm_nrecv");
        if (message == 0)
            return false;
        deliver(message);
    }
    return true;
}
