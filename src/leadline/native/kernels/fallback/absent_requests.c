/** Absent: nothing is ever under way where no operation is started without being waited for. */
#include "fallback/absent.h"

ABSENT_ALGORITHM(isend);

ABSENT(void, isend, (const void *from, size_t bytes, int peer, int tag, int slot))
ABSENT(void, irecv, (void *to, size_t bytes, int peer, int tag, int slot))
ABSENT(void, wait, (int slot))
ABSENT(void, waitall, (int first, int count))
ABSENT(bool, test, (int slot))
