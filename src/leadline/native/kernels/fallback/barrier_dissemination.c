/** Dissemination barrier over messages (Hensgen, Finkel and Manber 1988). */
#include "transport/transport.h"

enum { TAG = 32760 };

const char tp_barrier_dissemination_algorithm[] = "dissemination";

void tp_barrier_dissemination(void)
{
    const int rank = tp_rank(), size = tp_size();
    char in;
    for (int step = 1; step < size; step *= 2)
        tp_sendrecv("", 1, (rank + step) % size, &in, 1, (rank - step + size) % size, TAG);
}
