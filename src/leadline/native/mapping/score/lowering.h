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
    if (unit <= 0)
        return bound;
    const double times = ceil(lowered(bound) / unit);
    for (double part = 1; part < 1e5; part *= 10) { /* 0.3 is 3 of 0.1, or nearly */
        const double parts = rint(unit * part);
        if (fabs(parts - unit * part) <= 1e-12 * parts)
            return times * parts / part;
    }
    return times * unit;
}

#endif
