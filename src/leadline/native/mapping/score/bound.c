/**
 * Lower bounds: what the best permutation conceivable can't fall below.
 *
 * A set of c ranks of a grid holds at most c - P edges along an axis, P being the size of its
 * projection along that axis, since every line through the set holds one edge fewer than ranks.
 * Sets closest to a cube have the least sum of projections (Ahlswede and Bezrukov 1995, Bollobas
 * and Leader 1991); where the axes differ, the projections' product is at least c^(d-1) (Loomis and
 * Whitney 1949). What a node can't hold is cut.
 */
#include <math.h>
#include <stdlib.h>

#include "problem/array.h"
#include "problem/problem.h"
#include "problem/sort.h"

enum { MOST_RINGS = 8 };

/** A bound made of real numbers, by less than what map_reaches forgives. */
static double lowered(double bound)
{
    return bound * (1 - MAP_ROUNDING / 2);
}

/** The axes along which ranks exchange anything. */
struct axes {
    int count;
    int64_t length[MAP_MOST_DIMS];
    bool ring[MAP_MOST_DIMS];
    double weight[MAP_MOST_DIMS]; /**< of an edge, both directions together */
    bool alike;                   /**< all weigh the same */
    double total;                 /**< weight of all edges */
};

/** `weighted` false: every direction that weighs anything counts 1. */
static struct axes axes_of(const struct map_problem *problem, bool weighted)
{
    const struct grid *grid = &problem->grid;
    struct axes axes = {.alike = true};
    for (int k = 0; k < grid->ndims; k++) {
        const double both = grid->weights[2 * k] + grid->weights[2 * k + 1];
        const int64_t length = grid->dims[k];
        if (length == 1 || both == 0)
            continue;
        const int64_t lines = problem->ranks / length;
        const bool doubled = grid->periodic[k] && length == 2;
        const double weight = (weighted ? both : 2) * (doubled ? 2 : 1);
        const bool ring = grid->periodic[k] && !doubled;
        axes.length[axes.count] = length;
        axes.ring[axes.count] = ring;
        axes.weight[axes.count++] = weight;
        axes.alike = axes.alike && weight == axes.weight[0];
        axes.total += weight * (double)(lines * (ring ? length : length - 1));
    }
    return axes;
}

/** The least sum of the `ndims` projections of `count` points of the integer lattice. */
static int64_t least_projections(int ndims, int64_t count)
{
    if (ndims == 0 || count == 0)
        return 0;
    if (ndims == 1)
        return 1;
    int64_t side = 1, volume = 1, larger = 0;
    while (pow((double)side + 1, ndims) <= (double)count)
        side++;
    for (int k = 0; k < ndims; k++)
        volume *= side;
    while (larger < ndims && volume / side * (side + 1) <= count) {
        volume = volume / side * (side + 1);
        larger++;
    }
    const int64_t faces = (ndims - larger) * (volume / side) + larger * (volume / (side + 1));
    return faces + least_projections(ndims - 1, count - volume);
}

/** The least weighted sum of projections that are at least `least` each, their product given. */
static double least_weighted(const struct axes *axes, double count, const double *least)
{
    double logarithm = (axes->count - 1) * log(count), sum = 0;
    bool fixed[MAP_MOST_DIMS] = {false};
    int free_axes = axes->count;
    for (bool again = true; again && free_axes > 0;) {
        double level = logarithm;
        for (int k = 0; k < axes->count; k++)
            level += fixed[k] ? 0 : log(axes->weight[k]);
        level = exp(level / free_axes);
        again = false;
        for (int k = 0; k < axes->count; k++) {
            if (fixed[k] || level / axes->weight[k] >= least[k])
                continue;
            fixed[k] = again = true;
            sum += axes->weight[k] * least[k];
            logarithm -= log(least[k]);
            free_axes--;
        }
        if (!again)
            sum += free_axes * level;
    }
    return lowered(sum);
}

/** The least weight that `count` ranks lose if they fill whole rings along the axes of `rings`. */
static double least_loss(const struct axes *axes, int64_t count, unsigned rings)
{
    double least[MAP_MOST_DIMS], held = 0;
    for (int k = 0; k < axes->count; k++) {
        least[k] = fmax(1, (double)count / (double)axes->length[k]);
        for (int ring = 0; ring < axes->count; ring++)
            if (rings >> ring & 1 && ring != k)
                least[k] = fmax(least[k], (double)axes->length[ring]);
        if (rings >> k & 1)
            held += axes->weight[k] * (double)(count / axes->length[k]);
    }
    double loss = least_weighted(axes, (double)count, least);
    if (axes->alike && rings == 0)
        loss = fmax(loss, axes->weight[0] * (double)least_projections(axes->count, count));
    if (axes->alike && axes->weight[0] == rint(axes->weight[0]))
        loss = axes->weight[0] * ceil(loss / axes->weight[0]);
    return loss - held;
}

/** The most weight of edges that `count` ranks have among themselves. */
static double most_held(const struct axes *axes, int64_t count)
{
    double all = 0, loss = INFINITY;
    for (int k = 0; k < axes->count; k++)
        all += axes->weight[k] * (double)count;
    for (unsigned rings = 0; rings < 1U << axes->count; rings++) {
        bool possible = true;
        for (int k = 0; k < axes->count; k++)
            if (rings >> k & 1 && (!axes->ring[k] || axes->length[k] > count))
                possible = false;
        if (possible)
            loss = fmin(loss, least_loss(axes, count, rings));
    }
    return all - loss;
}

/** The least weight of edges between groups of ranks as large as `sizes` says. */
static double least_cut(const struct axes *axes, const int64_t *sizes, int64_t groups)
{
    double cut = axes->total, held = 0;
    for (int64_t i = 0; i < groups; i++) {
        if (i == 0 || sizes[i] != sizes[i - 1])
            held = most_held(axes, sizes[i]);
        cut -= held;
    }
    return fmax(cut, 0);
}

/** How many slots are under each switch of `level` (-1: on each node), to `sizes`; their number. */
static int64_t count_groups(const struct map_problem *problem, int level, int64_t *sizes)
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

/** The least sum over edges of weight times hops; `nodes_only`: of weight between nodes. */
static int least_sum(const struct map_problem *problem, bool weighted, bool nodes_only, double *sum)
{
    const struct network *network = &problem->network;
    const bool tree = network->kind == MAP_TREE && !nodes_only;
    const struct axes axes = axes_of(problem, weighted);
    int64_t most = problem->nodes;
    for (int level = 0; tree && level < network->ndims; level++)
        most = network->switches[level] > most ? network->switches[level] : most;
    int64_t *sizes = array_of(most, sizeof *sizes);
    if (!sizes)
        return MAP_NO_MEMORY;
    *sum = 0;
    for (int level = -1; level < (tree ? network->ndims : 0); level++)
        *sum += (tree ? 2 : 1) * least_cut(&axes, sizes, count_groups(problem, level, sizes));
    free(sizes);
    return MAP_OK;
}

/** Directed links that leave one vertex, at most. */
static int degree(const struct network *network)
{
    int links = 0;
    for (int axis = 0; axis < network->ndims && network->kind == MAP_TORUS; axis++) {
        const bool one_way = network->dims[axis] == 2;
        links += network->dims[axis] == 1 ? 0 : one_way ? 1 : 2;
    }
    return network->kind == MAP_TREE ? 1 : links;
}

/** A node's share of what leaves all nodes goes over no more links than it has. */
static double least_load(const struct map_problem *problem, double internode)
{
    const int links = degree(&problem->network);
    const double load = links ? internode / problem->nodes / links : 0;
    return problem->edges.out ? load : ceil(lowered(load));
}

/** The rows of `problem` have so many entries; a grid's needn't have been made. */
static double count_entries(const struct map_problem *problem)
{
    if (problem->edges.starts)
        return (double)problem->edges.starts[problem->ranks];
    return axes_of(problem, false).total;
}

int map_lower_bound(const struct map_problem *problem, int metric, double *bound)
{
    if (metric < 0 || metric >= MAP_METRICS)
        return MAP_NO_METHOD;
    const struct grid *grid = &problem->grid;
    const double entries = count_entries(problem);
    double sum = NAN;
    int status = MAP_OK;
    if (problem->nodes == 1 || entries == 0)
        sum = 0;
    else if (grid->ndims > 0 && grid->ndims <= MOST_RINGS && !grid->diagonals)
        status = least_sum(problem, metric != MAP_HOPS,
                           metric == MAP_INTERNODE || metric == MAP_LOAD, &sum);
    if (status != MAP_OK)
        return status;
    if (metric == MAP_HOPS && entries > 0)
        sum /= entries;
    *bound = metric == MAP_LOAD ? least_load(problem, sum) : sum;
    return MAP_OK;
}

int map_reaches(double value, double bound)
{
    return value <= bound * (1 + MAP_ROUNDING);
}

int map_grid_traffic(const struct map_problem *problem, const struct map_pattern *grid,
                     double *bound)
{
    struct map_problem other = *problem;
    int64_t ranks;
    other.edges = (struct edges){0};
    int status = grid->kind == MAP_GRID ? grid_make(grid, &other.grid, &ranks) : MAP_BAD_DIMS;
    if (status == MAP_OK && ranks != problem->ranks)
        status = MAP_MISFIT;
    return status == MAP_OK ? map_lower_bound(&other, MAP_HOP_BYTES, bound) : status;
}
