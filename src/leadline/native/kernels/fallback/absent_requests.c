/** Absent: nothing is ever under way where no operation is started without being waited for. */
#include <stdio.h>
#include <stdlib.h>

#include "transport/transport.h"

const char tp_isend_algorithm[] = "absent";

static _Noreturn void absent(int slot)
{
    fprintf(stderr, "leadline kernel: slot %d: requests are absent over %s\n", slot, tp_backend);
    abort();
}

void tp_isend(const void *from, size_t bytes, int peer, int tag, int slot)
{
    (void)from, (void)bytes, (void)peer, (void)tag;
    absent(slot);
}

void tp_irecv(void *to, size_t bytes, int peer, int tag, int slot)
{
    (void)to, (void)bytes, (void)peer, (void)tag;
    absent(slot);
}

void tp_wait(int slot)
{
    absent(slot);
}

void tp_waitall(int first, int count)
{
    (void)count;
    absent(first);
}

bool tp_test(int slot)
{
    absent(slot);
}
