#include "problem/array.h"

#include <stdlib.h>

void *array_of(int64_t count, size_t size)
{
    if (count < 0 || (uint64_t)count > PTRDIFF_MAX / size)
        return NULL;
    return malloc(count ? (size_t)count * size : size);
}
