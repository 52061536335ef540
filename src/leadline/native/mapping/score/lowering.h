/** Bounds made of real numbers, and of multiples. */
#ifndef LEADLINE_MAPPING_LOWERING_H
#define LEADLINE_MAPPING_LOWERING_H

#include <math.h>

#include "mapping.h"

/** `bound` without what rounding may have added, by less than what map_reaches forgives. */
static inline double lowered(double bound)
{
    return bound * (1 - MAP_ROUNDING / 4);
}

/** The least multiple of `unit` that isn't below `bound`; 0: there is no unit. */
static inline double raised(double bound, double unit)
{
    return unit > 0 ? unit * ceil(lowered(bound) / unit) : bound;
}

#endif
