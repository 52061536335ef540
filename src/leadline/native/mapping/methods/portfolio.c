/** All methods in the order in which they are tried; the best candidate of all wins. */
#include <stdlib.h>

#include "methods/methods.h"

/** Rank i in slot i: what happens without any mapping. */
static void offer_identity(struct contest *contest)
{
    int32_t *slots = contest_list(contest, contest->problem->ranks);
    if (slots)
        contest_offer(contest, slots);
    free(slots);
}

struct method {
    const char *name;
    void (*offer)(struct contest *contest);
    double making; /**< a candidate, about, in times that all ranks are looked at */
    bool improves; /**< starts from the best candidate so far */
    bool slow;     /**< tried where the others know little: on graphs, not on grids */
};

/** Those that know most of the structure come first. */
static const struct method methods[] = {
    {"identity", offer_identity, 1, false, false},
    {"fold", offer_fold, 10, false, false},
    {"hierarchical", offer_hierarchical, 10, false, false},
    {"node bricks", offer_bricks, 4, false, false},
    {"strips", offer_strips, 4, false, false},
    {"hyperplane", offer_hyperplane, 4, false, false},
    {"k-d tree", offer_kd_tree, 10, false, false},
    {"hilbert", offer_hilbert, 40, false, false},
    {"sort", offer_sort, 15, false, false},
    {"hierarchical sort", offer_hierarchical_sort, 30, false, false},
    {"bisection", offer_bisection, 150, false, false},
    {"breadth first", offer_breadth_first, 10, false, false},
    {"scotch", offer_scotch, 1000, false, true},
    {"swaps", offer_swaps, 10, true, false},
    {"annealing", offer_annealing, 10, true, false},
};
enum { METHODS = sizeof methods / sizeof *methods };

const char *map_method_name(int method)
{
    return method >= 0 && method < METHODS ? methods[method].name : NULL;
}

static void offer_by(struct contest *contest, int method)
{
    contest_begin(contest, method, methods[method].making);
    if (methods[method].improves ? contest_undecided(contest) : contest_open(contest))
        methods[method].offer(contest);
}

/** By the first `count` methods, but for those that are too slow for what is known. */
static void offer_by_first(struct contest *contest, int count)
{
    for (int method = 0; method < count; method++)
        if (!methods[method].slow || contest->problem->grid.ndims == 0)
            offer_by(contest, method);
}

/** The best candidate to `permutation`. */
static int conclude(struct contest *contest, int64_t *permutation)
{
    int status = contest->status;
    if (status == MAP_OK && contest->winner < 0)
        status = MAP_NOT_APPLICABLE;
    for (int32_t rank = 0; rank < contest->problem->ranks && status == MAP_OK; rank++)
        permutation[rank] = contest->best[rank];
    contest_free(contest);
    return status;
}

int map_by(const struct map_problem *problem, int method, int metric, int64_t steps, uint64_t seed,
           int64_t *permutation)
{
    struct contest contest;
    if (method < 0 || method >= METHODS || metric < 0 || metric >= MAP_METRICS)
        return MAP_NO_METHOD;
    contest_make(problem, metric, &contest);
    contest.steps = steps;
    contest.seed = seed;
    offer_by_first(&contest, methods[method].improves ? method : 0);
    offer_by(&contest, method);
    return conclude(&contest, permutation);
}

int map_within(const struct map_problem *problem, int metric, int64_t steps, uint64_t seed,
               int64_t effort, int64_t *permutation, int32_t *method)
{
    struct contest contest;
    if (metric < 0 || metric >= MAP_METRICS)
        return MAP_NO_METHOD;
    contest_make(problem, metric, &contest);
    contest.steps = steps;
    contest.seed = seed;
    contest.effort = effort;
    offer_by_first(&contest, METHODS);
    const int winner = contest.winner;
    const int status = conclude(&contest, permutation);
    if (status == MAP_OK)
        *method = winner;
    return status;
}

int map_best(const struct map_problem *problem, int metric, int64_t steps, uint64_t seed,
             int64_t *permutation, int32_t *method)
{
    return map_within(problem, metric, steps, seed, INT64_MAX, permutation, method);
}

/* -- forecast ---------------------------------------------------------------------------------- */

/* What is known of a grid's mapping before it is made. */

int map_grid_forecast(const struct map_problem *problem, const struct map_pattern *grid,
                      double *traffic)
{
    struct map_problem other;
    double folded = 0, bricks = 0;
    int status = problem_of_grid(problem, grid, &other);
    if (status == MAP_OK)
        status = forecast_fold(&other, &folded);
    if (status == MAP_OK)
        status = forecast_hierarchical(&other, &bricks);
    if (status == MAP_OK)
        *traffic = folded < bricks ? folded : bricks;
    return status;
}
