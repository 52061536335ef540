#include "score/evaluate.h"

#include <stdlib.h>
#include <string.h>

#include "problem/array.h"
#include "score/route.h"

/** The node of each rank; NULL: no memory. */
static int32_t *nodes_of(const struct map_problem *problem, const int32_t *slots)
{
    int32_t *nodes = array_of(problem->ranks, sizeof *nodes);
    for (int32_t rank = 0; nodes && rank < problem->ranks; rank++)
        nodes[rank] = problem->node_of_slot[slots[rank]];
    return nodes;
}

/** Both ends of a pair have it in their rows: the lower one counts it for both. */
static void measure_hops(const struct map_problem *problem, const int32_t *nodes,
                         struct map_metrics *metrics)
{
    const struct edges *edges = &problem->edges;
    int64_t sum = 0;
    int32_t most = 0;
    double hop_bytes = 0;
    for (int32_t rank = 0; rank < problem->ranks; rank++) {
        const int32_t from = nodes[rank];
        for (int64_t e = edges->starts[rank]; e < edges->starts[rank + 1]; e++) {
            if (edges->neighbours[e] < rank)
                continue;
            const int32_t to = nodes[edges->neighbours[e]];
            const int32_t hops = from == to ? 0 : hops_between(problem, from, to);
            sum += 2 * (int64_t)hops;
            most = hops > most ? hops : most;
            if (edges->out)
                hop_bytes += edges->both[e] * hops;
        }
    }
    const int64_t entries = edges->starts[problem->ranks];
    metrics->average_hops = entries ? (double)sum / (double)entries : 0;
    metrics->max_hops = most;
    metrics->hop_bytes = edges->out ? hop_bytes : (double)sum;
}

/** What leaves each node, to `leaving`, which is all 0. */
static void add_leaving(const struct map_problem *problem, const int32_t *nodes, double *leaving)
{
    const struct edges *edges = &problem->edges;
    for (int32_t rank = 0; rank < problem->ranks; rank++) {
        const int32_t from = nodes[rank];
        if (edges->out) {
            for (int64_t e = edges->starts[rank]; e < edges->starts[rank + 1]; e++)
                if (nodes[edges->neighbours[e]] != from)
                    leaving[from] += edges->out[e];
            continue;
        }
        int32_t out = 0;
        for (int64_t e = edges->starts[rank]; e < edges->starts[rank + 1]; e++)
            out += nodes[edges->neighbours[e]] != from;
        leaving[from] += out;
    }
}

static int measure_nodes(const struct map_problem *problem, const int32_t *nodes,
                         struct map_metrics *metrics)
{
    double *leaving = calloc((size_t)problem->nodes, sizeof *leaving);
    if (!leaving)
        return MAP_NO_MEMORY;
    add_leaving(problem, nodes, leaving);
    metrics->internode_edges = metrics->max_node_edges = 0;
    for (int32_t node = 0; node < problem->nodes; node++) {
        metrics->internode_edges += leaving[node];
        if (leaving[node] > metrics->max_node_edges)
            metrics->max_node_edges = leaving[node];
    }
    free(leaving);
    return MAP_OK;
}

static int measure_load(const struct map_problem *problem, const int32_t *slots,
                        struct map_metrics *metrics)
{
    const int64_t links = map_links(problem);
    struct traffic traffic = {.loads = calloc((size_t)links, sizeof *traffic.loads)};
    if (!traffic.loads)
        return MAP_NO_MEMORY;
    traffic_add_all(&traffic, problem, slots);
    metrics->max_link_load = traffic.largest;
    free(traffic.loads);
    return MAP_OK;
}

bool is_flat(const struct map_problem *problem)
{
    return problem->network.kind == MAP_TREE && !problem->edges.out &&
           problem->network.switches[0] == 1;
}

/** All metrics of a flat problem, from those of its nodes. */
static void derive(const struct map_problem *problem, struct map_metrics *metrics)
{
    const int64_t entries = problem->edges.starts[problem->ranks];
    metrics->hop_bytes = 2 * metrics->internode_edges;
    metrics->average_hops = entries ? metrics->hop_bytes / (double)entries : 0;
    metrics->max_hops = metrics->internode_edges > 0 ? 2 : 0;
    metrics->max_link_load = metrics->max_node_edges;
}

/** What `metric` needs of `metrics`, or all of them: MAP_METRICS. */
static int measure(const struct map_problem *problem, int metric, const int32_t *slots,
                   struct map_metrics *metrics)
{
    const bool all = metric == MAP_METRICS, flat = is_flat(problem);
    int32_t *nodes = nodes_of(problem, slots);
    int status = nodes ? MAP_OK : MAP_NO_MEMORY;
    if (status == MAP_OK && !flat && metric != MAP_INTERNODE)
        measure_hops(problem, nodes, metrics);
    if (status == MAP_OK && (all || flat || metric == MAP_INTERNODE))
        status = measure_nodes(problem, nodes, metrics);
    free(nodes);
    if (status == MAP_OK && flat)
        derive(problem, metrics);
    else if (status == MAP_OK && (all || metric == MAP_LOAD))
        status = measure_load(problem, slots, metrics);
    return status;
}

int score_by(const struct map_problem *problem, int metric, const int32_t *slots,
             struct score *score)
{
    struct map_metrics metrics = {0};
    const int status = measure(problem, metric, slots, &metrics);
    const struct score scores[MAP_METRICS] = {
        [MAP_HOPS] = {metrics.average_hops, metrics.max_hops},
        [MAP_LOAD] = {metrics.max_link_load, metrics.average_hops},
        [MAP_INTERNODE] = {metrics.internode_edges, metrics.max_node_edges},
        [MAP_HOP_BYTES] = {metrics.hop_bytes, metrics.average_hops},
    };
    *score = scores[metric];
    return status;
}

/** `permutation` in 32 bits, each slot once. */
static int check_permutation(const struct map_problem *problem, const int64_t *permutation,
                             int32_t *slots)
{
    bool *taken = calloc((size_t)problem->ranks, sizeof *taken);
    int status = taken ? MAP_OK : MAP_NO_MEMORY;
    for (int32_t rank = 0; rank < problem->ranks && status == MAP_OK; rank++) {
        const int64_t slot = permutation[rank];
        if (slot < 0 || slot >= problem->ranks || taken[slot])
            status = MAP_BAD_PERMUTATION;
        else
            taken[slots[rank] = (int32_t)slot] = true;
    }
    free(taken);
    return status;
}

int map_evaluate(const struct map_problem *problem, const int64_t *permutation,
                 struct map_metrics *metrics)
{
    int32_t *slots = array_of(problem->ranks, sizeof *slots);
    struct map_metrics measured = {0};
    int status = slots ? check_permutation(problem, permutation, slots) : MAP_NO_MEMORY;
    if (status == MAP_OK)
        status = measure(problem, MAP_METRICS, slots, &measured);
    if (status == MAP_OK)
        *metrics = measured;
    free(slots);
    return status;
}

int map_link_loads(const struct map_problem *problem, const int64_t *permutation, double *loads)
{
    int32_t *slots = array_of(problem->ranks, sizeof *slots);
    const int status = slots ? check_permutation(problem, permutation, slots) : MAP_NO_MEMORY;
    if (status == MAP_OK) {
        memset(loads, 0, (size_t)map_links(problem) * sizeof *loads);
        struct traffic traffic = {.loads = loads};
        traffic_add_all(&traffic, problem, slots);
    }
    free(slots);
    return status;
}
