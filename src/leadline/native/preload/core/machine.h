/** The machine that the ranks of a communicator run on, as native/mapping wants it. */
#ifndef LEADLINE_PRELOAD_MACHINE_H
#define LEADLINE_PRELOAD_MACHINE_H

#include <stdbool.h>

#include "core/description.h"
#include "core/places.h"

struct machine {
    struct map_machine map; /**< a slot for each rank, in their order */
    struct description description;
    int64_t *vertex_of_slot;
    int64_t *ancestors; /**< of the nodes, where there is no description */
};

/**
 * The machine of `ranks` ranks at `places`: as `description` has it (settings.h), else nodes below
 * one switch. Warns where a description can't be used. Returns false where memory lacks.
 */
bool machine_make(const char *description, const struct place *places, int ranks,
                  struct machine *machine);

/** Frees what machine_make made. */
void machine_free(struct machine *machine);

#endif
