/** Absent: operations that are prepared once and started many times. */
#include <stdio.h>
#include <stdlib.h>

#include "transport/transport.h"

const char tp_persistent_algorithm[] = "absent";

static _Noreturn void absent(const char *operation)
{
    fprintf(stderr, "leadline kernel: %s is absent over %s\n", operation, tp_backend);
    abort();
}

void tp_send_init(const void *from, size_t bytes, int peer, int tag, int slot)
{
    (void)from, (void)bytes, (void)peer, (void)tag, (void)slot;
    absent("send_init");
}

void tp_recv_init(void *to, size_t bytes, int peer, int tag, int slot)
{
    (void)to, (void)bytes, (void)peer, (void)tag, (void)slot;
    absent("recv_init");
}

void tp_start(int slot)
{
    (void)slot;
    absent("start");
}

void tp_persistent_free(int slot)
{
    (void)slot;
    absent("persistent_free");
}
