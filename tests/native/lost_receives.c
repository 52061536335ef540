/**
 * Messages of patterns that arrive elsewhere than where they were to, for tests of validation:
 * linked in with "-Wl,--wrap=tp_recv" and so on. The tool's own messages have tags above these.
 */
#include "transport/transport.h"

enum { MOST_BYTES = 1 << 20, MOST_TAG = 100 };

void __real_tp_recv(void *to, size_t bytes, int peer, int tag);
void __wrap_tp_recv(void *to, size_t bytes, int peer, int tag);
int __real_tp_recv_any(void *to, size_t bytes, int tag);
int __wrap_tp_recv_any(void *to, size_t bytes, int tag);
void __real_tp_irecv(void *to, size_t bytes, int peer, int tag, int slot);
void __wrap_tp_irecv(void *to, size_t bytes, int peer, int tag, int slot);
void __real_tp_recv_init(void *to, size_t bytes, int peer, int tag, int slot);
void __wrap_tp_recv_init(void *to, size_t bytes, int peer, int tag, int slot);

static char elsewhere[MOST_BYTES];

void __wrap_tp_recv(void *to, size_t bytes, int peer, int tag)
{
    __real_tp_recv(tag < MOST_TAG ? elsewhere : to, bytes, peer, tag);
}

int __wrap_tp_recv_any(void *to, size_t bytes, int tag)
{
    (void)to;
    return __real_tp_recv_any(elsewhere, bytes, tag);
}

void __wrap_tp_irecv(void *to, size_t bytes, int peer, int tag, int slot)
{
    (void)to;
    __real_tp_irecv(elsewhere, bytes, peer, tag, slot);
}

void __wrap_tp_recv_init(void *to, size_t bytes, int peer, int tag, int slot)
{
    (void)to;
    __real_tp_recv_init(elsewhere, bytes, peer, tag, slot);
}
