/* A directed graph is made symmetric: rows with both directions of every pair. */
#include "problem/graph.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "problem/array.h"
#include "problem/sort.h"

static int check(const struct map_pattern *pattern)
{
    const int64_t ranks = pattern->ranks;
    if (pattern->starts[0] != 0)
        return MAP_BAD_GRAPH;
    for (int64_t rank = 0; rank < ranks; rank++)
        if (pattern->starts[rank + 1] < pattern->starts[rank])
            return MAP_BAD_GRAPH;
    if (pattern->starts[ranks] > INT32_MAX / 2)
        return MAP_TOO_LARGE;
    for (int64_t edge = 0; edge < pattern->starts[ranks]; edge++) {
        if (pattern->neighbours[edge] < 0 || pattern->neighbours[edge] >= ranks)
            return MAP_BAD_GRAPH;
        if (!isfinite(pattern->edge_weights[edge]) || pattern->edge_weights[edge] < 0)
            return MAP_BAD_WEIGHT;
    }
    return MAP_OK;
}

/** Every edge between two ranks that weighs anything, once in each direction. */
struct arcs {
    uint64_t *pairs; /**< row, neighbour */
    int32_t *given;  /**< 2 edge, +1 in the row of the one that receives */
    int64_t count;
};

static void add_arc(struct arcs *arcs, int64_t row, int64_t neighbour, int64_t given)
{
    arcs->pairs[arcs->count] = (uint64_t)row << 32 | (uint64_t)neighbour;
    arcs->given[arcs->count++] = (int32_t)given;
}

static int collect(const struct map_pattern *pattern, struct arcs *arcs)
{
    for (int64_t rank = 0; rank < pattern->ranks; rank++) {
        for (int64_t edge = pattern->starts[rank]; edge < pattern->starts[rank + 1]; edge++) {
            const int64_t neighbour = pattern->neighbours[edge];
            if (neighbour == rank || pattern->edge_weights[edge] == 0)
                continue;
            add_arc(arcs, rank, neighbour, 2 * edge);
            add_arc(arcs, neighbour, rank, 2 * edge + 1);
        }
    }
    return sort_by_key(arcs->pairs, arcs->given, arcs->count);
}

/** One entry for all arcs of a pair; their weights add up, and must not to infinity. */
static int merge(const struct map_pattern *pattern, const struct arcs *arcs, struct edges *edges)
{
    int64_t count = 0, row = 0;
    edges->starts[0] = 0;
    for (int64_t i = 0; i < arcs->count; i++) {
        const double weight = pattern->edge_weights[arcs->given[i] / 2];
        if (i == 0 || arcs->pairs[i] != arcs->pairs[i - 1]) {
            while (row < (int64_t)(arcs->pairs[i] >> 32))
                edges->starts[++row] = count;
            edges->neighbours[count] = (int32_t)(arcs->pairs[i] & UINT32_MAX);
            edges->out[count] = edges->both[count] = 0;
            count++;
        }
        edges->both[count - 1] += weight;
        if (arcs->given[i] % 2 == 0)
            edges->out[count - 1] += weight;
    }
    while (row < pattern->ranks)
        edges->starts[++row] = count;
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(edges->both[i]))
            return MAP_BAD_WEIGHT;
    return MAP_OK;
}

static int build(const struct map_pattern *pattern, struct arcs *arcs, struct edges *edges)
{
    const int64_t most = 2 * pattern->starts[pattern->ranks];
    edges->starts = array_of(pattern->ranks + 1, sizeof *edges->starts);
    edges->neighbours = array_of(most, sizeof *edges->neighbours);
    edges->out = array_of(most, sizeof *edges->out);
    edges->both = array_of(most, sizeof *edges->both);
    arcs->pairs = array_of(most, sizeof *arcs->pairs);
    arcs->given = array_of(most, sizeof *arcs->given);
    if (!edges->starts || !edges->neighbours || !edges->out || !edges->both || !arcs->pairs ||
        !arcs->given)
        return MAP_NO_MEMORY;
    const int status = collect(pattern, arcs);
    return status == MAP_OK ? merge(pattern, arcs, edges) : status;
}

int edges_of_graph(const struct map_pattern *pattern, struct edges *edges)
{
    struct arcs arcs = {0};
    int status = check(pattern);
    if (status == MAP_OK)
        status = build(pattern, &arcs, edges);
    free(arcs.pairs);
    free(arcs.given);
    return status;
}
