/** Raw TCP: the limit that libraries over a network stack are measured against. */
#include <stdint.h>
#include <stdio.h>

#include "backends/tcp/mesh.h"
#include "backends/tcp/messages.h"
#include "transport/transport.h"

const char tp_backend[] = "tcp";
const bool tp_carries_payload = true;
const size_t tp_max_message_bytes = SIZE_MAX / 2;

const char *tp_library(void)
{
    return "raw TCP 1 (TCP_NODELAY, buffers sized by the kernel)";
}

void tp_init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    mesh_join();
    messages_open();
}

void tp_finalize(void)
{
    tp_barrier(); /* who closes with a message unread would cut off what it sent itself */
    mesh_leave();
}

int tp_rank(void)
{
    return mesh.rank;
}

int tp_size(void)
{
    return mesh.ranks;
}
