/*
 * A set of c ranks meets P lines along an axis, P being the size of its projection along that axis,
 * and fills F of them. It holds at most c - P edges along an open axis, at most c - P + F along a
 * ring; it cuts at least P - F edges along an open axis, at least twice as many along a ring.
 *
 * Sets closest to a cube have the least sum of projections (Ahlswede and Bezrukov 1995, Bollobas
 * and Leader 1991); where the axes differ, the projections' product is at least c^(d-1) (Loomis and
 * Whitney 1949). A line filled along one axis, L ranks long, projects to L points along each other;
 * where none is filled, each holds at most L - 1 ranks, so P is at least c / (L - 1).
 */
#include "score/grid_cuts.h"

#include <math.h>

#include "score/layers.h"
#include "score/lowering.h"

bool grid_is_cut(const struct grid *grid)
{
    return grid->ndims > 0 && grid->ndims <= MOST_AXES_CUT && !grid->diagonals;
}

struct grid_cuts grid_cuts_of(const struct map_problem *problem, bool weighted)
{
    const struct grid *grid = &problem->grid;
    struct grid_cuts cuts = {.ranks = problem->ranks};
    for (int k = 0; k < grid->ndims; k++) {
        const double both = grid->weights[2 * k] + grid->weights[2 * k + 1];
        const int64_t length = grid->dims[k];
        if (length == 1 || both == 0)
            continue;
        const int64_t lines = problem->ranks / length;
        const bool doubled = grid->periodic[k] && length == 2;
        const bool ring = grid->periodic[k] && !doubled;
        const double weight = (weighted ? both : 2) * (doubled ? 2 : 1);
        cuts.length[cuts.axes] = length;
        cuts.ring[cuts.axes] = ring;
        cuts.weight[cuts.axes++] = weight;
        cuts.total += weight * (double)(lines * (ring ? length : length - 1));
    }
    return cuts;
}

/** What each projection costs, and how small it may be. */
struct faces {
    int count;
    double cost[MAP_MOST_DIMS];
    int64_t least[MAP_MOST_DIMS];
};

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
    const int64_t sides = (ndims - larger) * (volume / side) + larger * (volume / (side + 1));
    return sides + least_projections(ndims - 1, count - volume);
}

/** The least cost of projections that are as large as they must be and whose product is given. */
static double least_by_product(const struct faces *faces, double count)
{
    double logarithm = (faces->count - 1) * log(count), sum = 0;
    bool fixed[MAP_MOST_DIMS] = {false};
    int left = faces->count;
    for (bool again = true; again && left > 0;) {
        double level = logarithm;
        for (int k = 0; k < faces->count; k++)
            level += fixed[k] ? 0 : log(faces->cost[k]);
        level = exp(level / left);
        again = false;
        for (int k = 0; k < faces->count; k++) {
            if (fixed[k] || level / faces->cost[k] >= (double)faces->least[k])
                continue;
            fixed[k] = again = true;
            sum += faces->cost[k] * (double)faces->least[k];
            logarithm -= log((double)faces->least[k]);
            left--;
        }
        if (!again)
            sum += left * level;
    }
    return lowered(sum);
}

/** The same of two projections, which are whole numbers: exact. */
static double least_of_two(const struct faces *faces, int64_t count)
{
    const int dear = faces->cost[0] < faces->cost[1], cheap = 1 - dear;
    double least = INFINITY;
    for (int64_t one = faces->least[dear]; faces->cost[dear] * (double)one < least; one++) {
        const int64_t needed = (count + one - 1) / one;
        const int64_t other = needed > faces->least[cheap] ? needed : faces->least[cheap];
        least = fmin(least, faces->cost[dear] * (double)one + faces->cost[cheap] * (double)other);
    }
    return least;
}

static bool are_alike(const struct faces *faces)
{
    for (int k = 1; k < faces->count; k++)
        if (faces->cost[k] != faces->cost[0])
            return false;
    return true;
}

static double least_cost(const struct faces *faces, int64_t count)
{
    if (faces->count == 1)
        return faces->cost[0] * (double)faces->least[0];
    if (faces->count == 2)
        return least_of_two(faces, count);
    double cost = least_by_product(faces, (double)count);
    if (!are_alike(faces))
        return cost;
    const double one = faces->cost[0];
    cost = fmax(cost, one * (double)least_projections(faces->count, count));
    return one * ceil(cost / one * (1 - MAP_ROUNDING));
}

/** Lines are filled along the axes of `full`, along others of `fillable` none. */
static double loss_filling(const struct grid_cuts *cuts, const struct faces *costs,
                           unsigned fillable, unsigned full, int64_t count)
{
    struct faces faces = *costs;
    double filled = 0;
    for (int k = 0; k < cuts->axes; k++) {
        const bool open_ended = fillable >> k & 1 && !(full >> k & 1);
        const int64_t most = cuts->length[k] - open_ended;
        faces.least[k] = (count + most - 1) / most;
        for (int other = 0; other < cuts->axes; other++)
            if (full >> other & 1 && other != k && cuts->length[other] > faces.least[k])
                faces.least[k] = cuts->length[other];
        if (faces.least[k] > cuts->ranks / cuts->length[k])
            return INFINITY; /* there are not so many lines */
        if (full >> k & 1)
            filled += faces.cost[k] * (double)(count / cuts->length[k]);
    }
    return least_cost(&faces, count) - filled;
}

/** The same by layers of the box, whose longest axis comes first. */
static double loss_by_layers(const struct grid_cuts *cuts, const struct faces *costs,
                             unsigned fillable, int64_t count)
{
    struct box_costs box = {.axes = cuts->axes};
    for (int k = 0; k < cuts->axes; k++) {
        int place = k;
        for (; place > 0 && box.length[place - 1] < cuts->length[k]; place--) {
            box.length[place] = box.length[place - 1];
            box.cost[place] = box.cost[place - 1];
            box.is_free[place] = box.is_free[place - 1];
        }
        box.length[place] = cuts->length[k];
        box.cost[place] = costs->cost[k];
        box.is_free[place] = fillable >> k & 1;
    }
    const double loss = least_by_layers(&box, count);
    return raised(loss, are_alike(costs) ? costs->cost[0] : 0);
}

/** The least cost of lines that a set of `count` ranks meets but, of `fillable` ones, not fills. */
static double least_loss(const struct grid_cuts *cuts, const struct faces *costs, unsigned fillable,
                         int64_t count)
{
    double loss = INFINITY;
    for (unsigned full = 0; full < 1U << cuts->axes; full++) {
        bool possible = (full & ~fillable) == 0;
        for (int k = 0; k < cuts->axes; k++)
            if (full >> k & 1 && cuts->length[k] > count)
                possible = false;
        if (possible)
            loss = fmin(loss, loss_filling(cuts, costs, fillable, full, count));
    }
    return fmax(loss, loss_by_layers(cuts, costs, fillable, count));
}

double grid_held(const struct grid_cuts *cuts, int64_t count)
{
    struct faces costs = {.count = cuts->axes};
    unsigned rings = 0;
    double all = 0;
    if (cuts->axes == 0 || count == 0)
        return 0;
    for (int k = 0; k < cuts->axes; k++) {
        costs.cost[k] = cuts->weight[k];
        rings |= (unsigned)cuts->ring[k] << k;
        all += cuts->weight[k] * (double)count;
    }
    return fmin(all - least_loss(cuts, &costs, rings, count), cuts->total);
}

double grid_leaving(const struct grid_cuts *cuts, int64_t count)
{
    struct faces costs = {.count = cuts->axes};
    if (cuts->axes == 0 || count <= 0 || count >= cuts->ranks)
        return 0;
    for (int k = 0; k < cuts->axes; k++)
        costs.cost[k] = cuts->weight[k] * (cuts->ring[k] ? 2 : 1);
    const unsigned all = (1U << cuts->axes) - 1;
    return fmax(least_loss(cuts, &costs, all, count),
                least_loss(cuts, &costs, all, cuts->ranks - count)); /* which cut the same */
}
