/**
 * Collectives over PVM's group server. What PVM hasn't got (allreduce, allgather, alltoall, scans)
 * comes from the fallbacks.
 */
#include <pvm3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/pvm/machine.h"
#include "backends/pvm/packing.h"
#include "transport/transport.h"

const char tp_barrier_algorithm[] = "native";
const char tp_bcast_algorithm[] = "native";
const char tp_reduce_algorithm[] = "native";
const char tp_gather_algorithm[] = "native";
const char tp_scatter_algorithm[] = "native";

enum { FIRST_TAG = 1 << 16, TAGS = 1 << 16 };

/* A tag for each operation: PVM's roots take what comes first, and that may be a later one's. */
static int next_tag(void)
{
    static unsigned operations;
    return FIRST_TAG + (int)(operations++ % TAGS);
}

void tp_barrier(void)
{
    machine_checked(pvm_barrier(MACHINE_GROUP, machine.ranks), "pvm_barrier");
}

void tp_bcast(void *buffer, size_t bytes, int root)
{
    const int tag = next_tag();
    if (machine.rank != root) {
        tp_recv(buffer, bytes, root, tag);
        return;
    }
    if (machine.ranks == 1)
        return; /* PVM refuses to send to nobody */
    pvm_initsend(machine.encoding);
    pack(buffer, bytes);
    machine_checked(pvm_bcast(MACHINE_GROUP, tag), "pvm_bcast");
}

/* PVM refuses to move nothing: then there is nothing to do. */
void tp_gather(const void *from, void *to, size_t bytes, int root)
{
    const int tag = next_tag();
    if (bytes > 0)
        machine_checked(
            pvm_gather(to, (void *)from, (int)bytes, PVM_BYTE, tag, MACHINE_GROUP, root),
            "pvm_gather");
}

void tp_scatter(const void *from, void *to, size_t bytes, int root)
{
    const int tag = next_tag();
    if (bytes > 0)
        machine_checked(
            pvm_scatter(to, (void *)from, (int)bytes, PVM_BYTE, tag, MACHINE_GROUP, root),
            "pvm_scatter");
}

/* PVM reduces in place, and spoils what the other ranks gave. */
static void *scratch(size_t bytes)
{
    static void *memory;
    static size_t room;
    if (bytes > room) {
        free(memory);
        memory = malloc(bytes);
        room = bytes;
        if (!memory)
            machine_fail("no memory to reduce %zu bytes", bytes);
    }
    return memory;
}

/* PVM's own long integers lose their upper half in XDR, in which it always reduces: integers travel
   as doubles, whose 8 bytes come through whole. */
static void sum_integers(int *datatype, void *into, void *other, int *count, int *status)
{
    (void)datatype;
    for (int i = 0; i < *count; i++)
        ((uint64_t *)into)[i] += ((const uint64_t *)other)[i]; /* wraps, whatever the bits */
    *status = PvmOk;
}

static void max_integers(int *datatype, void *into, void *other, int *count, int *status)
{
    (void)datatype;
    for (int i = 0; i < *count; i++)
        if (((const int64_t *)other)[i] > ((int64_t *)into)[i])
            ((int64_t *)into)[i] = ((const int64_t *)other)[i];
    *status = PvmOk;
}

static void and_integers(int *datatype, void *into, void *other, int *count, int *status)
{
    (void)datatype;
    for (int i = 0; i < *count; i++)
        ((int64_t *)into)[i] = ((const int64_t *)into)[i] != 0 && ((const int64_t *)other)[i] != 0;
    *status = PvmOk;
}

void tp_reduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op, int root)
{
    static void (*const operators[][3])(int *, void *, void *, int *, int *) = {
        [TP_DOUBLE] = {[TP_SUM] = PvmSum, [TP_MAX] = PvmMax}, /* doubles have no logical and */
        [TP_INT64] = {[TP_SUM] = sum_integers, [TP_MAX] = max_integers, [TP_LAND] = and_integers},
    };
    const int tag = next_tag();
    if (count == 0)
        return;
    void *elements = machine.rank == root ? to : scratch(count * 8);
    memcpy(elements, from, count * 8);
    machine_checked(
        pvm_reduce(operators[type][op], elements, (int)count, PVM_DOUBLE, tag, MACHINE_GROUP, root),
        "pvm_reduce");
}
