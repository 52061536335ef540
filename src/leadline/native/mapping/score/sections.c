#include "score/sections.h"

#include <stdlib.h>

#include "problem/array.h"

enum { LONG_RING = 32 };

static bool is_ring(const struct network *network, int axis)
{
    return network->periodic[axis] && network->dims[axis] > 2;
}

/** How many sections an axis has. */
static int64_t count_along(const struct network *network, int axis, bool all)
{
    const int64_t length = network->dims[axis];
    if (!is_ring(network, axis))
        return length - 1;
    if (all && length <= LONG_RING)
        return length * (length - 1) / 2;
    return length % 2 ? length : length / 2;
}

/** Slots at coordinates below each along `axis`, to `below` ([length + 1]). */
static void count_below(const struct map_problem *problem, int axis, int64_t *below)
{
    const int64_t length = problem->network.dims[axis];
    for (int64_t at = 0; at <= length; at++)
        below[at] = 0;
    for (int32_t node = 0; node < problem->nodes; node++)
        below[place_of(problem, node)[axis] + 1] +=
            problem->node_starts[node + 1] - problem->node_starts[node];
    for (int64_t at = 0; at < length; at++)
        below[at + 1] += below[at];
}

/** Planes before `from` and before `to`, which may lie beyond the end of a ring. */
static struct section section_of(const struct network *network, int axis, const int64_t *below,
                                 int64_t from, int64_t to)
{
    const int64_t length = network->dims[axis];
    const double plane = (double)(network->vertices / length);
    const bool around = to > length;
    return (struct section){
        .slots =
            around ? below[length] - below[from] + below[to - length] : below[to] - below[from],
        .hops = length % 2 && is_ring(network, axis) ? 0.5 : 1,
        .links = (is_ring(network, axis) ? 4 : 2) * plane,
    };
}

static void add_along(const struct network *network, int axis, const int64_t *below, bool all,
                      struct sections *sections)
{
    const int64_t length = network->dims[axis], count = count_along(network, axis, all);
    struct section *next = sections->list + sections->count;
    sections->count += count;
    if (!is_ring(network, axis)) {
        for (int64_t at = 1; at < length; at++)
            *next++ = section_of(network, axis, below, 0, at);
    } else if (all && length <= LONG_RING) {
        for (int64_t from = 0; from < length; from++)
            for (int64_t to = from + 1; to < length; to++)
                *next++ = section_of(network, axis, below, from, to);
    } else {
        for (int64_t from = 0; from < count; from++)
            *next++ = section_of(network, axis, below, from, from + length / 2);
    }
}

int list_sections(const struct map_problem *problem, bool all, struct sections *sections)
{
    const struct network *network = &problem->network;
    int64_t most = 0, longest = 0;
    for (int axis = 0; axis < network->ndims; axis++) {
        most += count_along(network, axis, all);
        longest = network->dims[axis] > longest ? network->dims[axis] : longest;
    }
    int64_t *below = array_of(longest + 1, sizeof *below);
    *sections = (struct sections){.list = array_of(most, sizeof *sections->list)};
    for (int axis = 0; axis < network->ndims && below && sections->list; axis++) {
        count_below(problem, axis, below);
        add_along(network, axis, below, all, sections);
    }
    free(below);
    return below && sections->list ? MAP_OK : MAP_NO_MEMORY;
}

int64_t most_groups(const struct map_problem *problem)
{
    const struct network *network = &problem->network;
    int64_t most = problem->nodes;
    for (int level = 0; network->kind == MAP_TREE && level < network->ndims; level++)
        most = network->switches[level] > most ? network->switches[level] : most;
    return most;
}

int64_t count_groups(const struct map_problem *problem, int level, int64_t *sizes)
{
    const int64_t most = level < 0 ? problem->nodes : problem->network.switches[level];
    for (int64_t group = 0; group < most; group++)
        sizes[group] = 0;
    for (int32_t node = 0; node < problem->nodes; node++) {
        const int32_t group = level < 0 ? node : place_of(problem, node)[level];
        sizes[group] += problem->node_starts[node + 1] - problem->node_starts[node];
    }
    int64_t groups = 0;
    for (int64_t group = 0; group < most; group++)
        if (sizes[group])
            sizes[groups++] = sizes[group];
    return groups;
}

int links_of_node(const struct map_problem *problem, int32_t node)
{
    const struct network *network = &problem->network;
    int links = network->kind == MAP_TREE;
    for (int axis = 0; axis < network->ndims && network->kind == MAP_TORUS; axis++) {
        const int64_t length = network->dims[axis], at = place_of(problem, node)[axis];
        const bool end = !is_ring(network, axis) && (at == 0 || at == length - 1);
        links += length == 1 ? 0 : end ? 1 : 2;
    }
    return links;
}

double links_of_torus(const struct network *network)
{
    double links = 0;
    for (int axis = 0; axis < network->ndims; axis++) {
        const double lines = (double)(network->vertices / network->dims[axis]);
        const int64_t along = network->dims[axis] - !is_ring(network, axis);
        links += 2 * lines * (double)along;
    }
    return links;
}

bool is_bipartite(const struct network *network)
{
    for (int axis = 0; axis < network->ndims && network->kind == MAP_TORUS; axis++)
        if (is_ring(network, axis) && network->dims[axis] % 2)
            return false;
    return true;
}
