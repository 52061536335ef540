#include "engine/prepare/roots.h"

#include <stdlib.h>

enum {
    LEAST_TURNS = 64
}; /* of each rank before a ring starts over, which cuts the last ones short */

/* A power of two, so that a mask wraps the ring. */
static size_t slots_for(const struct cell *cell)
{
    size_t slots = 1;
    if (cell->chosen[OPTION_ROOT] == ROOT_ROTATING)
        while (slots < LEAST_TURNS * (size_t)cell->ranks)
            slots *= 2;
    return slots;
}

bool roots_arrange(const struct params *params, struct cell *cell)
{
    static int *ranks;
    const size_t slots = slots_for(cell);
    int *grown = realloc(ranks, slots * sizeof *grown);
    if (!grown)
        return false;
    ranks = grown;
    for (size_t i = 0; i < slots; i++)
        ranks[i] = (int)(((size_t)params->root + i) % (size_t)cell->ranks);
    cell->roots = (struct roots){ranks, slots - 1};
    return true;
}
