/** Broadcast along a binomial tree: ceil(log2 p) rounds, each rank sends after it has received. */
#include "transport/transport.h"

enum { TAG = 32761 };

const char tp_bcast_algorithm[] = "binomial";

void tp_bcast(void *buffer, size_t bytes, int root)
{
    const int size = tp_size(), place = (tp_rank() - root + size) % size;
    int step = 1;
    for (; step <= place; step *= 2)
        if (place < 2 * step)
            tp_recv(buffer, bytes, (place - step + root) % size, TAG);
    for (; place + step < size; step *= 2)
        tp_send(buffer, bytes, (place + step + root) % size, TAG);
}
