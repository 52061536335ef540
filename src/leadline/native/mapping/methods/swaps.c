/** Searches that start from the best candidate and let two ranks change places at a time. */
#include <stdlib.h>

#include "methods/methods.h"
#include "search/exchange.h"

/* -- local swaps ------------------------------------------------------------------------------- */

/*
 * Local swaps: from the best candidate, any that makes it no worse is kept. Fewer tries than ranks
 * don't repay the start.
 */

enum { SHARE = 8 }; /* of the steps, one in so many; annealing takes the others */

void offer_swaps(struct contest *contest)
{
    struct exchange exchange;
    struct random_stream random = random_from(contest->seed);
    const int64_t swaps = contest->steps / SHARE / exchange_cost(contest->metric);
    if (swaps < contest->problem->ranks || !exchange_make(contest, contest->metric, &exchange))
        return;
    for (int64_t swap = 0; swap < swaps; swap++) {
        int32_t rank, other;
        if (exchange_draw(&exchange, &random, &rank, &other) &&
            exchange_apply(&exchange, rank, other) > 0)
            exchange_undo(&exchange, rank, other);
    }
    contest_offer(contest, exchange.slots);
    exchange_free(&exchange);
}

/* -- annealing --------------------------------------------------------------------------------- */

/* Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) over swaps, cooled evenly to 0. */

enum { TRIALS = 256, MOST_ROUNDS = 16, SWAPS_OF_A_RANK = 1500 };

/** Rounds begin with these shares of the mean worsening of a swap, in turn. */
static const double heats[] = {0.10, 0.13, 0.16};
enum { HEATS = sizeof heats / sizeof *heats };

/** The mean of what swaps that worsen the candidate add. */
static double mean_worsening(struct exchange *exchange, struct random_stream *random)
{
    double sum = 0;
    int worse = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        int32_t rank, other;
        if (!exchange_draw(exchange, random, &rank, &other))
            continue;
        const double change = exchange_apply(exchange, rank, other);
        exchange_undo(exchange, rank, other);
        if (change > 0) {
            sum += change;
            worse++;
        }
    }
    return worse ? sum / worse : 0;
}

static void anneal(struct exchange *exchange, struct random_stream *random, double heat,
                   int64_t steps)
{
    for (int64_t left = steps; left > 0; left--) {
        int32_t rank, other;
        if (!exchange_draw(exchange, random, &rank, &other))
            continue;
        const double most = heat * random_exponential(random) * (double)left / (double)steps;
        if (exchange_apply(exchange, rank, other) > most)
            exchange_undo(exchange, rank, other);
    }
}

/** One round from the best candidate, judged by `metric`. */
static void offer_round(struct contest *contest, int metric, struct random_stream *random,
                        double share, int64_t swaps)
{
    struct exchange exchange;
    if (!exchange_make(contest, metric, &exchange))
        return;
    anneal(&exchange, random, share * mean_worsening(&exchange, random), swaps);
    contest_offer(contest, exchange.slots);
    exchange_free(&exchange);
}

static void offer_rounds(struct contest *contest, int metric, struct random_stream *random,
                         int64_t steps)
{
    const int64_t swaps = steps / exchange_cost(metric);
    int64_t rounds = swaps / SWAPS_OF_A_RANK / contest->problem->ranks;
    rounds = rounds < 1 ? 1 : rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds;
    const bool enough = swaps >= contest->problem->ranks; /* else they don't repay the start */
    for (int64_t k = 0; k < rounds && enough && contest_undecided(contest); k++)
        offer_round(contest, metric, random, heats[k % HEATS], swaps / rounds);
}

void offer_annealing(struct contest *contest)
{
    struct random_stream random = random_from(contest->seed);
    int64_t steps = contest->steps;
    if (contest->metric == MAP_LOAD) { /* short ways load few links, and are faster to find */
        steps /= 2;
        offer_rounds(contest, MAP_HOP_BYTES, &random, steps);
    }
    offer_rounds(contest, contest->metric, &random, steps);
}
