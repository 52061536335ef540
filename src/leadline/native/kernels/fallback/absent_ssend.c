/** Absent: a send that learns of its receive. */
#include "fallback/absent.h"

ABSENT_ALGORITHM(ssend);

ABSENT(void, ssend, (const void *from, size_t bytes, int peer, int tag))
