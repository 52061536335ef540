/** Absent: nothing is ever under way where no operation is started without being waited for. */
#include <stdio.h>
#include <stdlib.h>

#include "transport.h"

void tp_wait(int slot)
{
    fprintf(stderr, "leadline kernel: slot %d: requests are absent over %s\n", slot, tp_backend);
    abort();
}

bool tp_test(int slot)
{
    tp_wait(slot);
    return true;
}
