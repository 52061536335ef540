#include "score/route.h"

static void load_link(struct traffic *traffic, int64_t link, double weight)
{
    const double before = traffic->loads[link], after = before + weight;
    const double square_before = before * before, square_after = after * after;
    traffic->loads[link] = after;
    traffic->unevenness += square_after * square_after - square_before * square_before;
    if (after > traffic->largest)
        traffic->largest = after;
}

static void route_torus(struct traffic *traffic, const struct map_problem *problem, int32_t from,
                        int32_t to, double weight)
{
    const struct network *network = &problem->network;
    const int32_t *a = place_of(problem, from), *b = place_of(problem, to);
    int64_t vertex = problem->vertex_of_node[from], stride = network->vertices;
    for (int axis = 0; axis < network->ndims; axis++) {
        const int64_t length = network->dims[axis];
        stride /= length;
        int64_t at = a[axis];
        const int64_t up = b[axis] >= at ? b[axis] - at : b[axis] - at + length;
        const bool rises = network->periodic[axis] ? up <= length - up && up > 0 : b[axis] > at;
        while (at != b[axis]) {
            load_link(traffic, 2 * (network->ndims * vertex + axis) + rises, weight);
            const int64_t next =
                rises ? (at + 1 == length ? 0 : at + 1) : (at == 0 ? length - 1 : at - 1);
            vertex += (next - at) * stride;
            at = next;
        }
    }
}

static void route_tree(struct traffic *traffic, const struct map_problem *problem, int32_t from,
                       int32_t to, double weight)
{
    const struct network *network = &problem->network;
    const int32_t *a = place_of(problem, from), *b = place_of(problem, to);
    load_link(traffic, 2 * problem->vertex_of_node[from], weight);
    load_link(traffic, 2 * problem->vertex_of_node[to] + 1, weight);
    int64_t below = network->vertices;
    for (int level = 0; level < network->ndims && a[level] != b[level]; level++) {
        load_link(traffic, 2 * (below + a[level]), weight);
        load_link(traffic, 2 * (below + b[level]) + 1, weight);
        below += network->switches[level];
    }
}

void traffic_add(struct traffic *traffic, const struct map_problem *problem, int32_t from,
                 int32_t to, double weight)
{
    if (from == to || weight == 0)
        return;
    if (problem->network.kind == MAP_TREE)
        route_tree(traffic, problem, from, to, weight);
    else
        route_torus(traffic, problem, from, to, weight);
}

void traffic_add_all(struct traffic *traffic, const struct map_problem *problem,
                     const int32_t *slots)
{
    const struct edges *edges = &problem->edges;
    for (int32_t rank = 0; rank < problem->ranks; rank++) {
        const int32_t from = problem->node_of_slot[slots[rank]];
        for (int64_t e = edges->starts[rank]; e < edges->starts[rank + 1]; e++)
            traffic_add(traffic, problem, from, problem->node_of_slot[slots[edges->neighbours[e]]],
                        edges->out ? edges->out[e] : 1);
    }
}

int64_t map_links(const struct map_problem *problem)
{
    const struct network *network = &problem->network;
    if (network->kind == MAP_TORUS)
        return 2 * network->ndims * network->vertices;
    int64_t ends = network->vertices;
    for (int level = 0; level < network->ndims; level++)
        ends += network->switches[level];
    return 2 * ends;
}
