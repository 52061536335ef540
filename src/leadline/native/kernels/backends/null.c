/**
 * The null backend: every operation returns at once, so that what is left is the tool's own cost.
 * One process plays rank 0 of LEADLINE_RANKS ranks.
 */
#include <stdint.h>
#include <stdlib.h>

#include "transport/transport.h"

const char tp_backend[] = "null";
const bool tp_carries_payload = false;
const size_t tp_max_message_bytes = SIZE_MAX;
const char tp_send_algorithm[] = "native";
const char tp_barrier_algorithm[] = "native";
const char tp_bcast_algorithm[] = "native";
const char tp_allreduce_algorithm[] = "native";
const char tp_reduce_algorithm[] = "native";
const char tp_reduce_scatter_algorithm[] = "native";
const char tp_scan_algorithm[] = "native";
const char tp_exscan_algorithm[] = "native";
const char tp_gather_algorithm[] = "native";
const char tp_scatter_algorithm[] = "native";
const char tp_allgather_algorithm[] = "native";
const char tp_alltoall_algorithm[] = "native";

static int ranks = 1;

const char *tp_library(void)
{
    return "null 1";
}

void tp_init(int *argc, char ***argv)
{
    const char *asked = getenv("LEADLINE_RANKS");
    (void)argc, (void)argv;
    ranks = asked && atoi(asked) > 0 ? atoi(asked) : 1;
}

void tp_finalize(void)
{
}

int tp_rank(void)
{
    return 0;
}

int tp_size(void)
{
    return ranks;
}

void tp_send(const void *from, size_t bytes, int peer, int tag)
{
    (void)from, (void)bytes, (void)peer, (void)tag;
}

void tp_recv(void *to, size_t bytes, int peer, int tag)
{
    (void)to, (void)bytes, (void)peer, (void)tag;
}

void tp_sendrecv(const void *from, size_t send_bytes, int dest, void *to, size_t recv_bytes,
                 int source, int tag)
{
    (void)from, (void)send_bytes, (void)dest, (void)to, (void)recv_bytes, (void)source, (void)tag;
}

void tp_barrier(void)
{
}

void tp_bcast(void *buffer, size_t bytes, int root)
{
    (void)buffer, (void)bytes, (void)root;
}

void tp_allreduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    (void)from, (void)to, (void)count, (void)type, (void)op;
}

void tp_reduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op, int root)
{
    (void)from, (void)to, (void)count, (void)type, (void)op, (void)root;
}

void tp_reduce_scatter(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    (void)from, (void)to, (void)count, (void)type, (void)op;
}

void tp_scan(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    (void)from, (void)to, (void)count, (void)type, (void)op;
}

void tp_exscan(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    (void)from, (void)to, (void)count, (void)type, (void)op;
}

void tp_gather(const void *from, void *to, size_t bytes, int root)
{
    (void)from, (void)to, (void)bytes, (void)root;
}

void tp_scatter(const void *from, void *to, size_t bytes, int root)
{
    (void)from, (void)to, (void)bytes, (void)root;
}

void tp_allgather(const void *from, void *to, size_t bytes)
{
    (void)from, (void)to, (void)bytes;
}

void tp_alltoall(const void *from, void *to, size_t bytes)
{
    (void)from, (void)to, (void)bytes;
}
