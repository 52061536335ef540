#include "score/grid_cuts.h"

#include <math.h>
#include <stdbool.h>

#include "mapping.h"
#include "score/lowering.h"

/* -- layers ------------------------------------------------------------------------------------ */

/* What sets of points cost that fill lines or don't: the isoperimetric problem of a box. */

/** A box of points, and the cost along each axis of a line that a set meets. */
struct box_costs {
    int axes;
    int64_t length[MAP_MOST_DIMS];
    double cost[MAP_MOST_DIMS];
    bool is_free[MAP_MOST_DIMS]; /**< lines that are filled cost nothing */
};

/*
 * Pushing a set's points down along an axis changes nothing there and makes along any other axis no
 * more lines that are met, nor fewer that are filled. So the least cost is that of a set whose
 * layers along an axis, L of them, lie within each other: s_1 >= s_2 >= ... >= s_L points. With
 * cost a of a line along the axis it costs at least a (s_1 - s_L) + H(s_1) + ... + H(s_L), where H
 * is concave and below the cost of any layer; where filled lines aren't free, a s_1 instead.
 *
 * This is concave, so for s_1 = m, s_L = s and a sum of x it is least where all layers but one have
 * m or s points, and then at a corner of what m, s and the one in between can be: p layers of x / p
 * and nothing else; all alike; or p whole ones, of A points, and the others alike or, at a cost of
 * at least a A + x / A H(A), one or none. Each is concave in x for every p, a layer of any size
 * included as the last cost bounds it where p layers are too few. So is the least of all, which is
 * the H of the next axis. Equal lengths give Bollobas and Leader's theorem (1991).
 */

static const double MOST_WORK = 300000; /* evaluations along the first axis */

/** The box's first `axes` axes: how many points, and what all of them cost. */
static void measure(const struct box_costs *box, int axes, double *points, double *cost)
{
    *points = 1;
    *cost = 0;
    for (int k = 0; k < axes; k++)
        *points *= (double)box->length[k];
    for (int k = 0; k < axes; k++)
        *cost += box->is_free[k] ? 0 : box->cost[k] * *points / (double)box->length[k];
}

/** A concave function of `count` below the cost of so many points of the first `axes` axes. */
static double least(const struct box_costs *box, int axes, double count)
{
    const int last = axes - 1;
    const double length = (double)box->length[last], line = box->cost[last];
    double whole, whole_cost;
    measure(box, last, &whole, &whole_cost);
    if (count <= 0 || (box->is_free[last] && last == 0 && count >= length))
        return 0;
    if (last == 0)
        return line;
    double cost = line * whole + count / whole * whole_cost;
    for (double layers = 1; layers < length + !box->is_free[last]; layers++)
        if (count <= layers * whole && line * count / layers < cost)
            cost = fmin(cost, line * count / layers + layers * least(box, last, count / layers));
    if (!box->is_free[last])
        return cost;
    for (double full = 1; full < length && full * whole <= count; full++) {
        const double others = length - full, each = (count - full * whole) / others;
        cost =
            fmin(cost, line * (whole - each) + full * whole_cost + others * least(box, last, each));
    }
    return fmin(cost, length * least(box, last, count / length));
}

/** No set of `count` points of the box costs less; 0, too, where that takes too long to find. */
static double least_by_layers(const struct box_costs *box, int64_t count)
{
    double work = 1, points, cost;
    for (int axis = 1; axis < box->axes; axis++)
        work *= 2 * (double)box->length[axis];
    measure(box, box->axes, &points, &cost);
    if (box->axes == 0 || work > MOST_WORK || (double)count > points)
        return 0;
    if ((double)count == points)
        return cost;
    return lowered(least(box, box->axes, (double)count));
}

/* -- grids ------------------------------------------------------------------------------------- */

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
