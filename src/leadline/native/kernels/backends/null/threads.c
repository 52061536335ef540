/** Calls that do nothing may come from any thread. */
#include "transport/transport.h"

const char tp_threads_algorithm[] = "native";

bool tp_threads_granted(void)
{
    return true;
}
