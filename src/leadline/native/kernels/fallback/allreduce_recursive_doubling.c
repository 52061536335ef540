/**
 * Allreduce by recursive doubling (Thakur, Rabenseifner and Gropp 2005): log2 p exchanges of the
 * whole vector. Ranks beyond the largest power of two first fold theirs into a partner's.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transport.h"

enum { TAG = 32762 };

const char tp_allreduce_algorithm[] = "recursive doubling";

static void combine_doubles(double *into, const double *other, size_t count, enum tp_op op)
{
    for (size_t i = 0; i < count; i++)
        into[i] = op == TP_SUM ? into[i] + other[i] : (other[i] > into[i] ? other[i] : into[i]);
}

static void combine_integers(int64_t *into, const int64_t *other, size_t count, enum tp_op op)
{
    for (size_t i = 0; i < count; i++)
        into[i] = op == TP_SUM ? into[i] + other[i] : (other[i] > into[i] ? other[i] : into[i]);
}

static void combine(void *into, const void *other, size_t count, enum tp_type type, enum tp_op op)
{
    if (type == TP_DOUBLE)
        combine_doubles(into, other, count, op);
    else
        combine_integers(into, other, count, op);
}

/* Kept from call to call: no allocation inside a timed loop once the size is known. */
static void *scratch(size_t bytes)
{
    static void *memory;
    static size_t room;
    if (bytes > room) {
        free(memory);
        memory = malloc(bytes);
        room = bytes;
        if (!memory) {
            fprintf(stderr, "leadline kernel: no memory for a reduction of %zu bytes\n", bytes);
            abort();
        }
    }
    return memory;
}

void tp_allreduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    const int rank = tp_rank(), size = tp_size();
    const size_t bytes = count * 8;
    void *other = scratch(bytes ? bytes : 1);
    int core = 1; /* the ranks that take part in the exchanges: a power of two */
    while (core * 2 <= size)
        core *= 2;
    memcpy(to, from, bytes);
    if (rank >= core) {
        tp_send(to, bytes, rank - core, TAG);
        tp_recv(to, bytes, rank - core, TAG);
        return;
    }
    if (rank + core < size) {
        tp_recv(other, bytes, rank + core, TAG);
        combine(to, other, count, type, op);
    }
    for (int step = 1; step < core; step *= 2) {
        tp_sendrecv(to, bytes, rank ^ step, other, bytes, rank ^ step, TAG);
        combine(to, other, count, type, op);
    }
    if (rank + core < size)
        tp_send(to, bytes, rank + core, TAG);
}
