/**
 * A kernel that leaves ranks in their order wherever it was asked to lay them, or, where
 * LEADLINE_FAULT is "lost", keeps no placement; for tests that see it.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/placements.h"

bool __wrap_placements_find(int64_t number, struct placement *placement);

bool __wrap_placements_find(int64_t number, struct placement *placement)
{
    const char *fault = getenv("LEADLINE_FAULT");
    *placement = (struct placement){NULL, NULL};
    return number == 0 || !fault || strcmp(fault, "lost") != 0;
}
