/**
 * Messages under way that are said rather than moved: "send PEER TAG BYTES ADDRESS SLOT", the same
 * of a receive, and "wait FIRST COUNT"; linked in with "-Wl,--wrap=tp_isend" and so on.
 */
#include <stdio.h>

#include "transport/transport.h"

void __wrap_tp_isend(const void *from, size_t bytes, int peer, int tag, int slot);
void __wrap_tp_irecv(void *to, size_t bytes, int peer, int tag, int slot);
void __wrap_tp_waitall(int first, int count);

void __wrap_tp_isend(const void *from, size_t bytes, int peer, int tag, int slot)
{
    printf("send %d %d %zu %p %d\n", peer, tag, bytes, from, slot);
}

void __wrap_tp_irecv(void *to, size_t bytes, int peer, int tag, int slot)
{
    printf("receive %d %d %zu %p %d\n", peer, tag, bytes, to, slot);
}

void __wrap_tp_waitall(int first, int count)
{
    printf("wait %d %d\n", first, count);
}
