/** Absent: operations that are prepared once and started many times. */
#include "fallback/absent.h"

ABSENT_ALGORITHM(persistent);

ABSENT(void, send_init, (const void *from, size_t bytes, int peer, int tag, int slot))
ABSENT(void, recv_init, (void *to, size_t bytes, int peer, int tag, int slot))
ABSENT(void, start, (int slot))
ABSENT(void, persistent_free, (int slot))
