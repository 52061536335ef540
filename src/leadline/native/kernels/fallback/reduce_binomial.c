/** Reduction along a binomial tree: ceil(log2 p) rounds, half of the ranks left send in each. */
#include <string.h>

#include "fallback/combine.h"

enum { TAG = 32759 };

const char tp_reduce_algorithm[] = "binomial";

void tp_reduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op, int root)
{
    const int size = tp_size(), place = (tp_rank() - root + size) % size;
    const size_t bytes = count * 8;
    char *other = combine_scratch(2 * bytes), *sum = place == 0 ? to : other + bytes;
    memcpy(sum, from, bytes);
    for (int step = 1; step < size; step *= 2) {
        if (place & step) {
            tp_send(sum, bytes, (place - step + root) % size, TAG);
            return;
        }
        if (place + step < size) {
            tp_recv(other, bytes, (place + step + root) % size, TAG);
            combine(sum, other, count, type, op);
        }
    }
}
