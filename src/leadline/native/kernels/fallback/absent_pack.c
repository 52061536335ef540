/** Absent: what is sent needs no packing. */
#include "fallback/absent.h"

ABSENT_ALGORITHM(pack);

ABSENT(void, pack, (const void *from, size_t bytes))
ABSENT(void, send_packed, (int peer, int tag))
ABSENT(void, recv_packed, (size_t bytes, int peer, int tag))
ABSENT(void, unpack, (void *to, size_t bytes))
