#include "search/contest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem/array.h"

/** Edges scored for each method, and how often, at least, all edges of a pattern. */
static const struct {
    int64_t edges, candidates;
} work[MAP_METRICS] = {
    [MAP_HOPS] = {1000000, 3},
    [MAP_LOAD] = {400000, 3},
    [MAP_INTERNODE] = {1000000, 3},
    [MAP_HOP_BYTES] = {1000000, 3},
};

enum { MANY = 40000000 }; /* edges of all candidates of a method, where these aren't few */
enum { VERY_MANY = 20000000 };
static const double NEAR = 0.01; /* of a bound: for very many edges that is good enough */
enum { MAKING = 500 }; /* making a candidate costs at least as much as scoring so many edges */

/** How often all edges are scored at least: where there are very many, less often. */
static int64_t candidates_of(int metric, int64_t edges)
{
    const int64_t most = MANY / edges;
    const int64_t wished = work[metric].candidates;
    return most >= wished ? wished : most > 1 ? most : 1;
}

void contest_make(const struct map_problem *problem, int metric, struct contest *contest)
{
    const int64_t edges = problem->edges.starts[problem->ranks] + problem->ranks;
    const int64_t least = candidates_of(metric, edges) * edges;
    *contest = (struct contest){
        .problem = problem,
        .metric = metric,
        .best = array_of(problem->ranks, sizeof *contest->best),
        .score = {INFINITY, INFINITY},
        .winner = -1,
        .allotment = work[metric].edges > least ? work[metric].edges : least,
        .effort = INT64_MAX,
        .near = edges > VERY_MANY ? NEAR : 0,
    };
    contest->status =
        contest->best ? map_lower_bound(problem, metric, &contest->bound) : MAP_NO_MEMORY;
}

void contest_free(struct contest *contest)
{
    free(contest->best);
    free(contest->by_switch);
}

void contest_begin(struct contest *contest, int method, double making)
{
    contest->method = method;
    contest->making = making;
    contest->work = contest->allotment;
}

bool contest_undecided(const struct contest *contest)
{
    const double enough = contest->bound * (1 + contest->near);
    return contest->status == MAP_OK && !map_reaches(contest->score.value, enough);
}

bool contest_open(const struct contest *contest)
{
    return contest_undecided(contest) && contest->work > 0 && contest->effort > 0;
}

void contest_offer(struct contest *contest, const int32_t *slots)
{
    const struct map_problem *problem = contest->problem;
    struct score score;
    if (contest->status == MAP_OK)
        contest->status = score_by(problem, contest->metric, slots, &score);
    if (contest->status != MAP_OK)
        return;
    const int64_t looked_at = problem->edges.starts[problem->ranks] + problem->ranks + MAKING;
    contest->work -= looked_at;
    contest->effort -= looked_at + (int64_t)(contest->making * problem->ranks);
    if (contest->winner >= 0 && !is_better(score, contest->score))
        return;
    memcpy(contest->best, slots, (size_t)problem->ranks * sizeof *slots);
    contest->score = score;
    contest->winner = contest->method;
}

void contest_offer_orders(struct contest *contest, const int32_t *ranks, const int32_t *slots)
{
    int32_t *slot_of_rank = contest_list(contest, contest->problem->ranks);
    if (!slot_of_rank)
        return;
    for (int32_t k = 0; k < contest->problem->ranks; k++)
        slot_of_rank[ranks[k]] = slots[k];
    contest_offer(contest, slot_of_rank);
    free(slot_of_rank);
}

int32_t *contest_list(struct contest *contest, int64_t count)
{
    int32_t *list = array_of(count, sizeof *list);
    if (!list)
        contest->status = MAP_NO_MEMORY;
    for (int64_t k = 0; list && k < count; k++)
        list[k] = (int32_t)k;
    return list;
}
