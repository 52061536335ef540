#include "search/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "problem/array.h"

enum { STEPS_TO_ROUTE = 24 };

/** The nodes nearest to `node`, which is the first of them; `nearest` has room for all. */
static void find_nearest(const struct map_problem *problem, int32_t node, int32_t *nearest)
{
    const uint16_t *hops = problem->network.table + (size_t)node * (size_t)problem->nodes;
    int found = 0;
    for (int32_t other = 0; other < problem->nodes; other++) {
        if (found == NEAREST && hops[other] >= hops[nearest[found - 1]])
            continue;
        int place = found < NEAREST ? found++ : found - 1;
        for (; place > 0 && hops[nearest[place - 1]] > hops[other]; place--)
            nearest[place] = nearest[place - 1];
        nearest[place] = other;
    }
    while (found < NEAREST)
        nearest[found++] = node;
}

static bool make_lists(struct exchange *exchange)
{
    const struct map_problem *problem = exchange->problem;
    const bool near = problem->network.table && exchange->metric != MAP_INTERNODE;
    const bool load = exchange->metric == MAP_LOAD;
    exchange->slots = array_of(problem->ranks, sizeof(int32_t));
    exchange->ranks = array_of(problem->ranks, sizeof(int32_t));
    exchange->nodes = array_of(problem->ranks, sizeof(int32_t));
    exchange->near = near ? array_of((int64_t)problem->nodes * NEAREST, sizeof(int32_t)) : NULL;
    if (load)
        exchange->traffic.loads = calloc((size_t)map_links(problem), sizeof(double));
    return exchange->slots && exchange->ranks && exchange->nodes && (!near || exchange->near) &&
           (!load || exchange->traffic.loads);
}

bool exchange_make(struct contest *contest, int metric, struct exchange *exchange)
{
    const struct map_problem *problem = contest->problem;
    *exchange = (struct exchange){.problem = problem, .metric = metric};
    if (!make_lists(exchange)) {
        exchange_free(exchange);
        contest->status = MAP_NO_MEMORY;
        return false;
    }
    for (int32_t rank = 0; rank < problem->ranks; rank++) {
        exchange->slots[rank] = contest->best[rank];
        exchange->ranks[contest->best[rank]] = rank;
        exchange->nodes[rank] = problem->node_of_slot[contest->best[rank]];
    }
    for (int32_t node = 0; exchange->near && node < problem->nodes; node++)
        find_nearest(problem, node, exchange->near + (size_t)node * NEAREST);
    if (exchange->traffic.loads)
        traffic_add_all(&exchange->traffic, problem, exchange->slots);
    return true;
}

void exchange_free(struct exchange *exchange)
{
    free(exchange->slots);
    free(exchange->ranks);
    free(exchange->nodes);
    free(exchange->near);
    free(exchange->traffic.loads);
}

/** The change of hops, counted or weighted, when `rank` goes to node `to`; not those to `other`. */
static double change_of_hops(const struct exchange *exchange, int32_t rank, int32_t to,
                             int32_t other)
{
    const struct map_problem *problem = exchange->problem;
    const struct edges *edges = &problem->edges;
    const double *weights = exchange->metric == MAP_HOPS ? NULL : edges->both;
    const int32_t from = exchange->nodes[rank];
    double weighted = 0;
    int64_t counted = 0;
    for (int64_t e = edges->starts[rank]; e < edges->starts[rank + 1]; e++) {
        const int32_t neighbour = edges->neighbours[e];
        if (neighbour == other)
            continue;
        const int32_t node = exchange->nodes[neighbour];
        const int32_t change = hops_between(problem, to, node) - hops_between(problem, from, node);
        counted += change;
        if (weights)
            weighted += weights[e] * change;
    }
    return weights ? weighted : (double)counted;
}

/** The same for the weight between nodes. */
static double change_of_cut(const struct exchange *exchange, int32_t rank, int32_t to,
                            int32_t other)
{
    const struct edges *edges = &exchange->problem->edges;
    const int32_t from = exchange->nodes[rank];
    double change = 0;
    for (int64_t e = edges->starts[rank]; e < edges->starts[rank + 1]; e++) {
        const int32_t neighbour = edges->neighbours[e], node = exchange->nodes[neighbour];
        if (neighbour != other)
            change += ((from == node) - (to == node)) * (edges->both ? edges->both[e] : 2);
    }
    return change;
}

static void trade_places(struct exchange *exchange, int32_t rank, int32_t other)
{
    const int32_t slot = exchange->slots[rank], node = exchange->nodes[rank];
    exchange->slots[rank] = exchange->slots[other];
    exchange->nodes[rank] = exchange->nodes[other];
    exchange->slots[other] = slot;
    exchange->nodes[other] = node;
    exchange->ranks[exchange->slots[rank]] = rank;
    exchange->ranks[exchange->slots[other]] = other;
}

/** Adds `sign` times all that `rank` sends and receives, but for what it exchanges with `other`. */
static void load_links(struct exchange *exchange, int32_t rank, int32_t other, double sign)
{
    const struct edges *edges = &exchange->problem->edges;
    const int32_t here = exchange->nodes[rank];
    for (int64_t e = edges->starts[rank]; e < edges->starts[rank + 1]; e++) {
        if (edges->neighbours[e] == other)
            continue;
        const int32_t there = exchange->nodes[edges->neighbours[e]];
        const double out = edges->out ? edges->out[e] : 1;
        const double in = edges->out ? edges->both[e] - out : 1;
        traffic_add(&exchange->traffic, exchange->problem, here, there, sign * out);
        traffic_add(&exchange->traffic, exchange->problem, there, here, sign * in);
    }
}

static double reroute(struct exchange *exchange, int32_t rank, int32_t other)
{
    const double before = exchange->traffic.unevenness;
    load_links(exchange, rank, -1, -1);
    load_links(exchange, other, rank, -1);
    trade_places(exchange, rank, other);
    load_links(exchange, rank, -1, 1);
    load_links(exchange, other, rank, 1);
    return exchange->traffic.unevenness - before;
}

double exchange_apply(struct exchange *exchange, int32_t rank, int32_t other)
{
    if (exchange->metric == MAP_LOAD)
        return reroute(exchange, rank, other);
    double (*const change)(const struct exchange *, int32_t, int32_t, int32_t) =
        exchange->metric == MAP_INTERNODE ? change_of_cut : change_of_hops;
    const double sum = change(exchange, rank, exchange->nodes[other], other) +
                       change(exchange, other, exchange->nodes[rank], rank);
    trade_places(exchange, rank, other);
    return sum;
}

void exchange_undo(struct exchange *exchange, int32_t rank, int32_t other)
{
    if (exchange->metric == MAP_LOAD)
        reroute(exchange, rank, other);
    else
        trade_places(exchange, rank, other);
}

/** A rank in the node of `rank` or, where that is known, in one near to it. */
static int32_t rank_near(const struct exchange *exchange, struct random_stream *random,
                         int32_t rank)
{
    const struct map_problem *problem = exchange->problem;
    int32_t node = exchange->nodes[rank];
    if (exchange->near)
        node = exchange->near[(size_t)node * NEAREST + (size_t)random_below(random, NEAREST)];
    const int32_t first = problem->node_starts[node], after = problem->node_starts[node + 1];
    return exchange->ranks[problem->slots_by_node[first + random_below(random, after - first)]];
}

/** One that `rank` exchanges with; -1: none. */
static int32_t draw_neighbour(const struct edges *edges, struct random_stream *random, int32_t rank)
{
    const int64_t first = edges->starts[rank];
    const int32_t count = (int32_t)(edges->starts[rank + 1] - first);
    return count ? edges->neighbours[first + random_below(random, count)] : -1;
}

bool exchange_draw(const struct exchange *exchange, struct random_stream *random, int32_t *rank,
                   int32_t *other)
{
    const struct map_problem *problem = exchange->problem;
    *rank = random_below(random, problem->ranks);
    const int32_t neighbour = draw_neighbour(&problem->edges, random, *rank);
    if (neighbour < 0)
        return false;
    *other = exchange->near || exchange->metric == MAP_INTERNODE
                 ? rank_near(exchange, random, neighbour)
                 : draw_neighbour(&problem->edges, random, neighbour);
    return exchange->nodes[*rank] != exchange->nodes[*other];
}

int exchange_cost(int metric)
{
    return metric == MAP_LOAD ? STEPS_TO_ROUTE : 1;
}
