/** Absent: sends through a buffer of the caller's. */
#include "fallback/absent.h"

ABSENT_ALGORITHM(bsend);

ABSENT(void, buffer_attach, (size_t bytes))
ABSENT(void, buffer_detach, (void))
ABSENT(void, bsend, (const void *from, size_t bytes, int peer, int tag))
