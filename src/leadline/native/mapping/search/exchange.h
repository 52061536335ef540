/** A permutation in which two ranks can change places, and what that does to a metric. */
#ifndef LEADLINE_MAPPING_EXCHANGE_H
#define LEADLINE_MAPPING_EXCHANGE_H

#include <stdint.h>

#include "score/route.h"
#include "search/contest.h"

/* -- random numbers ---------------------------------------------------------------------------- */

/* A small generator of its own, equal everywhere: xorshift64* (Vigna 2016). */

struct random_stream {
    uint64_t state; /**< never 0 */
};

/** Seeds differ in all bits of the state however alike they are (splitmix64, Steele 2014). */
static inline struct random_stream random_from(uint64_t seed)
{
    uint64_t mixed = seed + UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    mixed ^= mixed >> 31;
    return (struct random_stream){mixed ? mixed : 1};
}

static inline uint32_t random_bits(struct random_stream *stream)
{
    stream->state ^= stream->state >> 12;
    stream->state ^= stream->state << 25;
    stream->state ^= stream->state >> 27;
    return (uint32_t)(stream->state * UINT64_C(0x2545f4914f6cdd1d) >> 32);
}

/** One of 0 to `below` - 1; `below` is at least 1. */
static inline int32_t random_below(struct random_stream *stream, int32_t below)
{
    return (int32_t)((uint64_t)random_bits(stream) * (uint64_t)below >> 32);
}

/** Exponential with mean 1 but for a few percent: -log2 between powers of 2 as a straight line. */
static inline double random_exponential(struct random_stream *stream)
{
    const double ln_2 = 0.6931471805599453;
    uint32_t bits = random_bits(stream) | 1;
    int halvings = 1;
    while (!(bits >> 31)) {
        bits <<= 1;
        halvings++;
    }
    return ln_2 * (halvings + 1 - (double)bits / 2147483648.0);
}

/* -- exchanges --------------------------------------------------------------------------------- */

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
