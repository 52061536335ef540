/** Memory for arrays. */
#ifndef LEADLINE_MAPPING_ARRAY_H
#define LEADLINE_MAPPING_ARRAY_H

#include <stddef.h>
#include <stdint.h>

/** An array of `count` items of `size` bytes, at least one; NULL: no memory. Not cleared. */
void *array_of(int64_t count, size_t size);

#endif
