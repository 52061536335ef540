/** Collectives among neighbours, and non-blocking ones, that do nothing. */
#include "transport/transport.h"

const char tp_neighbor_allgather_algorithm[] = "native";
const char tp_neighbor_alltoall_algorithm[] = "native";

void tp_neighbor_allgather(const void *from, void *to, size_t bytes)
{
    (void)from, (void)to, (void)bytes;
}

void tp_neighbor_alltoall(const void *from, void *to, size_t bytes)
{
    (void)from, (void)to, (void)bytes;
}

const char tp_ibarrier_algorithm[] = "native";
const char tp_ibcast_algorithm[] = "native";
const char tp_iallreduce_algorithm[] = "native";
const char tp_iallgather_algorithm[] = "native";
const char tp_ialltoall_algorithm[] = "native";

void tp_ibarrier(int slot)
{
    (void)slot;
}

void tp_ibcast(void *buffer, size_t bytes, int root, int slot)
{
    (void)buffer, (void)bytes, (void)root, (void)slot;
}

void tp_iallreduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op,
                   int slot)
{
    (void)from, (void)to, (void)count, (void)type, (void)op, (void)slot;
}

void tp_iallgather(const void *from, void *to, size_t bytes, int slot)
{
    (void)from, (void)to, (void)bytes, (void)slot;
}

void tp_ialltoall(const void *from, void *to, size_t bytes, int slot)
{
    (void)from, (void)to, (void)bytes, (void)slot;
}
