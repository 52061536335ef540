#include "problem/network.h"

#include <stdlib.h>

#include "problem/array.h"

enum { MOST_IN_TABLE = 1024, MOST_HOPS_IN_TABLE = UINT16_MAX };

/** Number of vertices of a torus; -1: too many. */
static int64_t torus_make(const struct map_machine *machine, struct network *network)
{
    int64_t vertices = 1;
    for (int axis = 0; axis < machine->ndims; axis++) {
        const int64_t length = machine->dims[axis];
        if (length > INT32_MAX || vertices > (INT64_C(1) << 56) / length)
            return -1;
        vertices *= length;
        network->dims[axis] = length;
        network->periodic[axis] = machine->periodic[axis];
    }
    return vertices;
}

/** Switches of a level are numbered below the number of vertices, and each is under one other. */
static int tree_check(const struct map_machine *machine, int level, int64_t *above)
{
    const int64_t *row = machine->ancestors + level;
    for (int64_t vertex = 0; vertex < machine->vertices; vertex++)
        above[vertex] = -1;
    for (int64_t vertex = 0; vertex < machine->vertices; vertex++, row += machine->levels) {
        if (row[0] < 0 || row[0] >= machine->vertices)
            return MAP_BAD_SWITCH;
        if (level + 1 == machine->levels)
            continue;
        if (above[row[0]] >= 0 && above[row[0]] != row[1])
            return MAP_BAD_SWITCH;
        above[row[0]] = row[1];
    }
    return MAP_OK;
}

static int tree_make(const struct map_machine *machine, struct network *network)
{
    int64_t *above = array_of(machine->vertices, sizeof *above);
    int status = above ? MAP_OK : MAP_NO_MEMORY;
    for (int level = 0; level < machine->levels && status == MAP_OK; level++) {
        status = tree_check(machine, level, above);
        for (int64_t vertex = 0; vertex < machine->vertices && status == MAP_OK; vertex++) {
            const int64_t at = machine->ancestors[vertex * machine->levels + level];
            if (at >= network->switches[level])
                network->switches[level] = at + 1;
        }
    }
    free(above);
    return status;
}

void place_vertex(const struct map_machine *machine, const struct network *network, int64_t vertex,
                  int32_t *place)
{
    for (int k = network->ndims - 1; k >= 0; k--) {
        if (network->kind == MAP_TREE) {
            place[k] = (int32_t)machine->ancestors[vertex * network->ndims + k];
        } else {
            place[k] = (int32_t)(vertex % network->dims[k]);
            vertex /= network->dims[k];
        }
    }
}

int32_t hops_computed(const struct network *network, int32_t node, int32_t other)
{
    const int ndims = network->ndims;
    const int32_t *a = network->places + (size_t)node * (size_t)ndims;
    const int32_t *b = network->places + (size_t)other * (size_t)ndims;
    if (network->kind == MAP_TREE) {
        int level = 0;
        while (level < ndims && a[level] != b[level])
            level++;
        return node == other ? 0 : 2 * (level + 1);
    }
    int64_t hops = 0;
    for (int axis = 0; axis < ndims; axis++) {
        const int64_t apart = abs(a[axis] - b[axis]);
        const int64_t around = network->dims[axis] - apart;
        hops += network->periodic[axis] && around < apart ? around : apart;
    }
    return hops < INT32_MAX ? (int32_t)hops : INT32_MAX;
}

/** The most hops there can be. */
static int64_t diameter(const struct network *network)
{
    int64_t hops = network->kind == MAP_TREE ? 2 * ((int64_t)network->ndims + 1) : 0;
    for (int axis = 0; axis < network->ndims && network->kind == MAP_TORUS; axis++)
        hops += network->dims[axis];
    return hops;
}

int network_make(const struct map_machine *machine, struct network *network)
{
    const int axes = machine->kind == MAP_TREE ? machine->levels : machine->ndims;
    if (axes < 1 || axes > MAP_MOST_DIMS || (machine->kind == MAP_TREE && machine->vertices < 1))
        return MAP_BAD_DIMS;
    for (int axis = 0; axis < axes && machine->kind != MAP_TREE; axis++)
        if (machine->dims[axis] < 1)
            return MAP_BAD_DIMS;
    network->kind = machine->kind;
    network->ndims = axes;
    network->vertices =
        machine->kind == MAP_TREE ? machine->vertices : torus_make(machine, network);
    if (network->vertices < 0 || (machine->kind == MAP_TREE && network->vertices > INT32_MAX))
        return MAP_TOO_LARGE;
    for (int64_t slot = 0; slot < machine->slots; slot++)
        if (machine->vertex_of_slot[slot] < 0 || machine->vertex_of_slot[slot] >= network->vertices)
            return MAP_BAD_SLOT;
    return machine->kind == MAP_TREE ? tree_make(machine, network) : MAP_OK;
}

static int tabulate(int64_t nodes, struct network *network)
{
    if (nodes > MOST_IN_TABLE || diameter(network) > MOST_HOPS_IN_TABLE)
        return MAP_OK;
    network->table = array_of(nodes * nodes, sizeof *network->table);
    if (!network->table)
        return MAP_NO_MEMORY;
    for (int32_t a = 0; a < nodes; a++)
        for (int32_t b = 0; b <= a; b++)
            network->table[a * nodes + b] = network->table[b * nodes + a] =
                (uint16_t)hops_computed(network, a, b);
    return MAP_OK;
}

int network_place(const struct map_machine *machine, const int64_t *vertex_of_node, int32_t nodes,
                  struct network *network)
{
    const size_t row = (size_t)network->ndims;
    network->places = array_of((int64_t)nodes * network->ndims, sizeof(int32_t));
    if (!network->places)
        return MAP_NO_MEMORY;
    for (int32_t node = 0; node < nodes; node++)
        place_vertex(machine, network, vertex_of_node[node], network->places + (size_t)node * row);
    return tabulate(nodes, network);
}
