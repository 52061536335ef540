#include "fallback/combine.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void combine_doubles(double *into, const double *other, size_t count, enum tp_op op)
{
    for (size_t i = 0; i < count; i++)
        into[i] = op == TP_SUM ? into[i] + other[i] : (other[i] > into[i] ? other[i] : into[i]);
}

static void combine_truths(int64_t *into, const int64_t *other, size_t count)
{
    for (size_t i = 0; i < count; i++)
        into[i] = into[i] != 0 && other[i] != 0;
}

/* Sums wrap: what a timed pass adds may be any bits. */
static int64_t sum(int64_t one, int64_t other)
{
    return (int64_t)((uint64_t)one + (uint64_t)other);
}

static void combine_integers(int64_t *into, const int64_t *other, size_t count, enum tp_op op)
{
    for (size_t i = 0; i < count; i++)
        into[i] = op == TP_SUM ? sum(into[i], other[i]) : (other[i] > into[i] ? other[i] : into[i]);
}

void combine(void *into, const void *other, size_t count, enum tp_type type, enum tp_op op)
{
    if (op == TP_LAND)
        combine_truths(into, other, count);
    else if (type == TP_DOUBLE)
        combine_doubles(into, other, count, op);
    else
        combine_integers(into, other, count, op);
}

void *combine_scratch(size_t bytes)
{
    static void *memory;
    static size_t room;
    if (bytes > room || !memory) {
        free(memory);
        memory = malloc(bytes ? bytes : 1);
        room = bytes;
        if (!memory) {
            fprintf(stderr, "leadline kernel: no memory for a reduction of %zu bytes\n", bytes);
            abort();
        }
    }
    return memory;
}
