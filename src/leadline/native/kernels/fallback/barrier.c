/** The barrier of a library that has none: dissemination. */
#include "transport/transport.h"

const char tp_barrier_algorithm[] = "dissemination";

void tp_barrier(void)
{
    tp_barrier_dissemination();
}
