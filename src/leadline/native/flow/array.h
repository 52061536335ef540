/** Memory for arrays. */
#ifndef LEADLINE_FLOW_ARRAY_H
#define LEADLINE_FLOW_ARRAY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/** An array of `count` items of `size` bytes, at least one, all 0; NULL: no memory. */
static inline void *array_of(int64_t count, size_t size)
{
    return calloc(count > 0 ? (size_t)count : 1, size);
}

#endif
