/** A stable sort of 64-bit keys, the only one that the methods use: equal everywhere, and linear.
 */
#ifndef LEADLINE_MAPPING_SORT_H
#define LEADLINE_MAPPING_SORT_H

#include <stdint.h>

/**
 * Sorts `keys` ([count]) upwards, `values` ([count]) along with them; equal keys stay in order.
 * Returns MAP_OK or MAP_NO_MEMORY.
 */
int sort_by_key(uint64_t *keys, int32_t *values, int64_t count);

#endif
