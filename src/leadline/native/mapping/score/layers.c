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
#include "score/layers.h"

#include <math.h>

#include "score/lowering.h"

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

double least_by_layers(const struct box_costs *box, int64_t count)
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
