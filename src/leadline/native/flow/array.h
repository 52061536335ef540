/** Memory for arrays. */
#ifndef LEADLINE_FLOW_ARRAY_H
#define LEADLINE_FLOW_ARRAY_H

#include <stddef.h>
#include <stdint.h>

/** An array of `count` items of `size` bytes, at least one, all 0; NULL: no memory. */
void *array_of(int64_t count, size_t size);

#endif
