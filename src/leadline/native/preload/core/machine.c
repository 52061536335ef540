#include "core/machine.h"

#include <stdlib.h>

#include "saying.h"

/** Numbers the nodes in the order of their lowest ranks; false: no memory. */
static bool from_nodes(const struct place *places, int ranks, struct machine *machine)
{
    int64_t nodes = 0;
    for (int rank = 0; rank < ranks; rank++) {
        const bool lowest = places[rank].node == rank;
        machine->vertex_of_slot[rank] =
            lowest ? nodes++ : machine->vertex_of_slot[places[rank].node];
    }
    machine->ancestors = calloc((size_t)nodes, sizeof *machine->ancestors);
    machine->map = (struct map_machine){.kind = MAP_TREE, .vertices = nodes, .levels = 1};
    machine->map.ancestors = machine->ancestors;
    return machine->ancestors != NULL;
}

/** Seats all ranks by the description; false, said once, where it lacks a host. */
static bool from_description(const struct place *places, int ranks, struct machine *machine)
{
    for (int rank = 0; rank < ranks; rank++) {
        const struct place *place = &places[rank];
        const int64_t vertex = description_vertex(&machine->description, place->host, place->core);
        if (vertex < 0) {
            warn("the machine's description lacks host %s, core %d; nodes are found at run time "
                 "instead",
                 place->host, place->core);
            return false;
        }
        machine->vertex_of_slot[rank] = vertex;
    }
    machine->map = machine->description.network;
    machine->map.dims = machine->description.dims;
    machine->map.periodic = machine->description.periodic;
    return true;
}

bool machine_make(const char *description, const struct place *places, int ranks,
                  struct machine *machine)
{
    *machine = (struct machine){0};
    machine->vertex_of_slot = calloc((size_t)ranks, sizeof *machine->vertex_of_slot);
    if (!machine->vertex_of_slot)
        return false;
    bool described = description && description_read(description, &machine->description);
    if (described && !from_description(places, ranks, machine)) {
        description_free(&machine->description);
        described = false;
    }
    if (!described)
        machine->description = (struct description){0};
    const bool made = described || from_nodes(places, ranks, machine);
    machine->map.slots = ranks;
    machine->map.vertex_of_slot = machine->vertex_of_slot;
    return made;
}

void machine_free(struct machine *machine)
{
    description_free(&machine->description);
    free(machine->vertex_of_slot);
    free(machine->ancestors);
}
