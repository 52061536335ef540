#include "array.h"

#include <stdlib.h>

void *array_of(int64_t count, size_t size)
{
    return calloc(count > 0 ? (size_t)count : 1, size);
}
