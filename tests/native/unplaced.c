/** A kernel that leaves ranks in their order wherever it was asked to lay them; for tests that see
 * it. */
#include "engine/placements.h"

bool __wrap_placements_find(int64_t number, struct placement *placement);

bool __wrap_placements_find(int64_t number, struct placement *placement)
{
    (void)number;
    *placement = (struct placement){NULL, NULL};
    return true;
}
