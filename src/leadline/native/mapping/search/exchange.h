/** A permutation in which two ranks can change places, and what that does to a metric. */
#ifndef LEADLINE_MAPPING_EXCHANGE_H
#define LEADLINE_MAPPING_EXCHANGE_H

#include "score/route.h"
#include "search/contest.h"
#include "search/random.h"

enum { NEAREST = 8 };

struct exchange {
    const struct map_problem *problem;
    int metric;
    int32_t *slots; /**< [ranks] slot of each rank */
    int32_t *ranks; /**< [ranks] rank in each slot */
    int32_t *nodes; /**< [ranks] node of each rank */
    int32_t *near;  /**< [nodes][NEAREST] nodes by distance, itself first; NULL: not known */
    struct traffic traffic; /**< no loads unless the metric is MAP_LOAD */
};

/**
 * Starts from the best candidate of `contest`, and judges by `metric`, which may be another one.
 * False: no memory, as the contest's status says.
 */
bool exchange_make(struct contest *contest, int metric, struct exchange *exchange);
void exchange_free(struct exchange *exchange);

/**
 * Lets two ranks change places; gives back the change of the metric's sum: hops, hop-bytes, weight
 * between nodes, or the unevenness of the links' loads. Negative is better.
 */
double exchange_apply(struct exchange *exchange, int32_t rank, int32_t other);

/** Takes the last exchange_apply of the same two ranks back. */
void exchange_undo(struct exchange *exchange, int32_t rank, int32_t other);

/** Two ranks drawn so that the first comes near to one that it exchanges with; false: none. */
bool exchange_draw(const struct exchange *exchange, struct random_stream *random, int32_t *rank,
                   int32_t *other);

/** Steps that a swap costs: more where routes are followed. */
int exchange_cost(int metric);

#endif
