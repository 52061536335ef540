/**
 * Barriers over messages. Each operation is an archive member of its own, as absent.c explains.
 */
#include "transport/transport.h"

/* Dissemination (Hensgen, Finkel and Manber 1988). */
#ifdef GROUP_barrier_dissemination
enum { TAG = 32760 };

const char tp_barrier_dissemination_algorithm[] = "dissemination";

void tp_barrier_dissemination(void)
{
    const int rank = tp_rank(), size = tp_size();
    char in;
    for (int step = 1; step < size; step *= 2)
        tp_sendrecv("", 1, (rank + step) % size, &in, 1, (rank - step + size) % size, TAG);
}
#endif

/* The barrier of a library that has none: dissemination. */
#ifdef GROUP_barrier
const char tp_barrier_algorithm[] = "dissemination";

void tp_barrier(void)
{
    tp_barrier_dissemination();
}
#endif
