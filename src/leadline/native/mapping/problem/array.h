/** Memory for arrays, and a stable sort. */
#ifndef LEADLINE_MAPPING_ARRAY_H
#define LEADLINE_MAPPING_ARRAY_H

#include <stddef.h>
#include <stdint.h>

/* -- memory ------------------------------------------------------------------------------------ */

/** An array of `count` items of `size` bytes, at least one; NULL: no memory. Not cleared. */
void *array_of(int64_t count, size_t size);

/* -- the sort ---------------------------------------------------------------------------------- */

/* Of 64-bit keys, the only one that the methods use: equal everywhere, and linear. */

/**
 * Sorts `keys` ([count]) upwards, `values` ([count]) along with them; equal keys stay in order.
 * Returns MAP_OK or MAP_NO_MEMORY.
 */
int sort_by_key(uint64_t *keys, int32_t *values, int64_t count);

#endif
