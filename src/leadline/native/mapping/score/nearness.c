#include "score/nearness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem/array.h"
#include "score/rows.h"
#include "score/sections.h"

static int64_t largest_node(const struct map_problem *problem)
{
    int64_t most = 0;
    for (int32_t node = 0; node < problem->nodes; node++) {
        const int64_t cores = problem->node_starts[node + 1] - problem->node_starts[node];
        most = cores > most ? cores : most;
    }
    return most;
}

/** Vertices so many hops away along an axis, both ways together. */
static int64_t count_away(int64_t length, int64_t hops)
{
    return hops == 0 ? 1 : 2 * hops < length ? 2 : 2 * hops == length;
}

/** Vertices of a torus within each distance, at most, to `at` ([most + 1]): as if all were rings.
 */
static int count_torus(const struct network *network, int64_t most, int64_t *at)
{
    int64_t *before = array_of(most + 1, sizeof *before);
    if (!before)
        return MAP_NO_MEMORY;
    memset(at, 0, (size_t)(most + 1) * sizeof *at);
    at[0] = 1;
    for (int axis = 0; axis < network->ndims; axis++) {
        memcpy(before, at, (size_t)(most + 1) * sizeof *at);
        for (int64_t hops = 0; hops <= most; hops++) {
            at[hops] = 0;
            for (int64_t along = 0; along <= hops && 2 * along <= network->dims[axis]; along++)
                at[hops] += before[hops - along] * count_away(network->dims[axis], along);
        }
    }
    free(before);
    return MAP_OK;
}

/** Slots under the fullest switch of each level. */
static int count_tree(const struct map_problem *problem, int64_t most, int64_t *at)
{
    int64_t *sizes = array_of(most_groups(problem), sizeof *sizes);
    int64_t below = 0;
    memset(at, 0, (size_t)(most + 1) * sizeof *at);
    for (int level = -1; sizes && level < problem->network.ndims; level++) {
        const int64_t groups = count_groups(problem, level, sizes);
        int64_t largest = 0;
        for (int64_t group = 0; group < groups; group++)
            largest = sizes[group] > largest ? sizes[group] : largest;
        at[2 * (level + 1)] = largest - below;
        below = largest;
    }
    at[most] += problem->ranks - below;
    free(sizes);
    return sizes ? MAP_OK : MAP_NO_MEMORY;
}

/** The most slots within each distance of any node, by the table of hops. */
static int count_by_table(const struct map_problem *problem, int64_t most, int64_t *at)
{
    int64_t *mine = array_of(most + 1, sizeof *mine);
    if (!mine)
        return MAP_NO_MEMORY;
    memset(at, 0, (size_t)(most + 1) * sizeof *at);
    for (int32_t node = 0; node < problem->nodes; node++) {
        int64_t within = 0;
        memset(mine, 0, (size_t)(most + 1) * sizeof *mine);
        for (int32_t other = 0; other < problem->nodes; other++) {
            const int32_t hops = hops_between(problem, node, other);
            if (hops <= most)
                mine[hops] += problem->node_starts[other + 1] - problem->node_starts[other];
        }
        for (int64_t hops = 0; hops <= most; hops++) {
            within += mine[hops];
            at[hops] = within > at[hops] ? within : at[hops];
        }
    }
    for (int64_t hops = most; hops > 0; hops--)
        at[hops] -= at[hops - 1];
    free(mine);
    return MAP_OK;
}

/** The most slots at each distance of one, itself too, to `at` ([most + 1]). */
static int count_near(const struct map_problem *problem, enum nearness nearness, int64_t most,
                      int64_t *at)
{
    const int64_t cores = largest_node(problem);
    at[0] = cores;
    if (nearness == NEAR_NODES)
        return MAP_OK;
    if (problem->network.kind == MAP_TREE)
        return count_tree(problem, most, at);
    if (problem->network.table)
        return count_by_table(problem, most, at);
    const int status = count_torus(&problem->network, most, at);
    for (int64_t hops = 0; hops <= most; hops++)
        at[hops] *= cores;
    return status;
}

/** How far the nearest other slots of any are at least, to `distances` ([count]). */
static int list_distances(const struct map_problem *problem, enum nearness nearness, int64_t count,
                          int32_t *distances)
{
    const struct network *network = &problem->network;
    const int64_t furthest = network->kind == MAP_TREE ? 2 * (network->ndims + 1) : count;
    const int64_t most = nearness == NEAR_NODES ? 1 : furthest;
    int64_t *at = array_of(most + 1, sizeof *at);
    const int status = at ? count_near(problem, nearness, most, at) : MAP_NO_MEMORY;
    if (status == MAP_OK) {
        at[0]--; /* a slot isn't near itself */
        at[most] = INT64_MAX;
        for (int64_t i = 0, hops = 0; i < count; i++, at[hops]--) {
            while (at[hops] == 0)
                hops++;
            distances[i] = (int32_t)hops;
        }
    }
    free(at);
    return status;
}

/** The product of every rank if all edges weigh the same and no rank stands twice in a row. */
static double product_of_lengths(const struct map_problem *problem, double weight,
                                 const int32_t *distances, double *products)
{
    double sum = 0, product = 0;
    for (int64_t i = 0, longest = longest_row(problem); i < longest; i++)
        products[i] = product += weight * distances[i];
    for (int32_t rank = 0; rank < problem->ranks; rank++) {
        const int64_t count = problem->edges.starts[rank + 1] - problem->edges.starts[rank];
        sum += count ? products[count - 1] : 0;
    }
    return sum;
}

static double product_of_rows(const struct map_problem *problem, bool weighted, enum row_part part,
                              const int32_t *distances, double *weights)
{
    double sum = 0, product = 0;
    for (int32_t rank = 0; rank < problem->ranks; rank++) {
        if (part == ROW_OWN || !is_row_as_before(problem, weighted, rank)) {
            const int64_t count = row_weights(problem, weighted, part, rank, weights);
            product = 0;
            for (int64_t i = 0; i < count; i++)
                product += weights[i] * distances[i];
        }
        sum += product;
    }
    return sum;
}

int least_by_ranks(const struct map_problem *problem, bool weighted, enum nearness nearness,
                   double *sum)
{
    const int64_t longest = longest_row(problem);
    double *weights = array_of(longest, sizeof *weights);
    int32_t *distances = array_of(longest, sizeof *distances);
    int status = weights && distances ? MAP_OK : MAP_NO_MEMORY;
    if (status == MAP_OK)
        status = list_distances(problem, nearness, longest, distances);
    const bool alike = !weighted || !problem->edges.both, by_grid = problem->grid.ndims > 0;
    if (status == MAP_OK && alike && by_grid && !rows_have_doubles(&problem->grid))
        *sum = product_of_lengths(problem, 2, distances, weights) / 2;
    else if (status == MAP_OK)
        *sum = product_of_rows(problem, weighted, ROW_BOTH, distances, weights) / 2;
    if (status == MAP_OK && !by_grid) /* whose ranks may have very many neighbours */
        *sum = fmax(*sum, product_of_rows(problem, weighted, ROW_OWN, distances, weights));
    free(weights);
    free(distances);
    return status;
}

int most_sent_away(const struct map_problem *problem, double *sent)
{
    double *weights = array_of(longest_row(problem), sizeof *weights);
    if (!weights)
        return MAP_NO_MEMORY;
    const int64_t beside = largest_node(problem) - 1;
    *sent = 0;
    for (int32_t rank = 0; rank < problem->ranks; rank++) {
        if (is_row_as_before(problem, true, rank))
            continue;
        const int64_t count = row_weights(problem, true, ROW_SENT, rank, weights);
        double away = 0;
        for (int64_t i = beside; i < count; i++)
            away += weights[i];
        *sent = fmax(*sent, away);
    }
    free(weights);
    return MAP_OK;
}

/** Pairs of slots at each distance, to `pairs` ([most + 1]). */
static void count_pairs(const struct map_problem *problem, int64_t most, int64_t *pairs)
{
    memset(pairs, 0, (size_t)(most + 1) * sizeof *pairs);
    for (int32_t node = 0; node < problem->nodes; node++) {
        const int64_t cores = problem->node_starts[node + 1] - problem->node_starts[node];
        pairs[0] += cores * (cores - 1) / 2;
        for (int32_t other = 0; other < node; other++)
            pairs[hops_between(problem, node, other)] +=
                cores * (problem->node_starts[other + 1] - problem->node_starts[other]);
    }
}

/** Weights of all pairs that exchange anything, the smallest first; their number. */
static int list_pairs(const struct map_problem *problem, bool weighted, uint64_t *weights,
                      int64_t *count)
{
    const struct edges *edges = &problem->edges;
    *count = 0;
    for (int32_t rank = 0; rank < problem->ranks; rank++) {
        for (int64_t e = edges->starts[rank]; e < edges->starts[rank + 1]; e++) {
            const double weight = entry_weight(problem, weighted, e);
            if (edges->neighbours[e] > rank)
                memcpy(&weights[(*count)++], &weight, sizeof weight); /* ordered alike, above 0 */
        }
    }
    int32_t *unused = array_of(*count, sizeof *unused);
    const int status = unused ? sort_by_key(weights, unused, *count) : MAP_NO_MEMORY;
    free(unused);
    return status;
}

int least_by_pairs(const struct map_problem *problem, bool weighted, double *sum)
{
    *sum = 0;
    if (!problem->network.table || rows_have_doubles(&problem->grid))
        return MAP_OK;
    const int64_t most = UINT16_MAX, entries = problem->edges.starts[problem->ranks];
    int64_t *pairs = array_of(most + 1, sizeof *pairs), count = 0;
    uint64_t *weights = array_of(entries, sizeof *weights);
    int status = pairs && weights ? list_pairs(problem, weighted, weights, &count) : MAP_NO_MEMORY;
    if (status == MAP_OK)
        count_pairs(problem, most, pairs);
    for (int64_t i = count - 1, hops = 0; i >= 0 && status == MAP_OK; i--, pairs[hops]--) {
        double weight;
        while (pairs[hops] == 0)
            hops++;
        memcpy(&weight, &weights[i], sizeof weight);
        *sum += weight * (double)hops;
    }
    free(pairs);
    free(weights);
    return status;
}
