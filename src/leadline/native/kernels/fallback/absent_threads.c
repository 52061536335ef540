/** Absent: each pair of ranks has one queue, which one thread at a time may use. */
#include "fallback/absent.h"

ABSENT_ALGORITHM(threads);

bool tp_threads_granted(void)
{
    return false;
}
