/**
 * Local swaps: from the best candidate, any that makes it no worse is kept. Fewer tries than ranks
 * don't repay the start.
 */
#include <stdlib.h>

#include "methods/methods.h"
#include "search/exchange.h"

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
