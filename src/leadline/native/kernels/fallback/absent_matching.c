/** Absent: receives that find their messages in another order than they came. */
#include "fallback/absent.h"

ABSENT_ALGORITHM(matching);

ABSENT(int, recv_any, (void *to, size_t bytes, int tag))
