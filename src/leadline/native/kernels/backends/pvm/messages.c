/** Messages: packed before each send and unpacked after each receive, as PVM's users do. */
#include <pvm3.h>
#include <string.h>

#include "backends/pvm/machine.h"
#include "backends/pvm/packing.h"
#include "transport/transport.h"

const char tp_send_algorithm[] = "native";
const char tp_matching_algorithm[] = "native";

enum { ANY_TASK = -1 };

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

/* From the task `source`, or from any if it is -1. */
static int receive(void *to, size_t bytes, int source, int tag)
{
    int length, seen_tag, tid;
    const int message = machine_checked(pvm_recv(source, tag), "pvm_recv");
    machine_checked(pvm_bufinfo(message, &length, &seen_tag, &tid), "pvm_bufinfo");
    if ((size_t)length > room_for(bytes))
        machine_fail("a message of rank %d doesn't fit its receive: expected at most %zu bytes, "
                     "seen tag %d and %d bytes",
                     rank_of(tid), bytes, seen_tag, length);
    unpack(to, (size_t)length < bytes ? (size_t)length : bytes);
    return tid;
}

void tp_recv(void *to, size_t bytes, int peer, int tag)
{
    receive(to, bytes, machine.tids[peer], tag);
}

int tp_recv_any(void *to, size_t bytes, int tag)
{
    return rank_of(receive(to, bytes, ANY_TASK, tag));
}

/* libpvm takes messages in while it waits to get one out, so that this can't deadlock. */
void tp_sendrecv(const void *from, size_t send_bytes, int dest, void *to, size_t recv_bytes,
                 int source, int tag)
{
    tp_send(from, send_bytes, dest, tag);
    tp_recv(to, recv_bytes, source, tag);
}
