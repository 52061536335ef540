/** Absent: each pair of ranks has one queue, which one thread at a time may use. */
#include "transport/transport.h"

const char tp_threads_algorithm[] = "absent";

bool tp_threads_granted(void)
{
    return false;
}
