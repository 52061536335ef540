/** What fallback reductions share: elementwise combination, and memory kept from call to call. */
#ifndef LEADLINE_FALLBACK_COMBINE_H
#define LEADLINE_FALLBACK_COMBINE_H

#include "transport/transport.h"

/** Combines `count` elements at `other` into those at `into`. */
void combine(void *into, const void *other, size_t count, enum tp_type type, enum tp_op op);

/**
 * At least `bytes` bytes, the same memory at every call: no allocation inside a timed loop once the
 * size is known. Ends the rank where there is no memory.
 */
void *combine_scratch(size_t bytes);

#endif
