/**
 * Hilbert curves through the grid and through the network: ranks in the order of the one on slots
 * in the order of the other (algorithm: Skilling 2004, AIP Conference Proceedings 707).
 */
#include <stdlib.h>

#include "methods/methods.h"
#include "problem/array.h"
#include "search/cells.h"

static int bits_for(int64_t length)
{
    int bits = 0;
    while ((INT64_C(1) << bits) < length)
        bits++;
    return bits;
}

/** Coordinates of `bits` bits to the index along the curve, transposed: bit by bit over the axes.
 */
static void transpose(uint32_t *at, int axes, int bits)
{
    for (uint32_t high = 1U << (bits - 1); high > 1; high >>= 1) {
        for (int k = 0; k < axes; k++) {
            const uint32_t turned = (at[0] ^ at[k]) & (high - 1);
            if (at[k] & high) {
                at[0] ^= high - 1;
            } else {
                at[0] ^= turned;
                at[k] ^= turned;
            }
        }
    }
    for (int k = 1; k < axes; k++)
        at[k] ^= at[k - 1];
    uint32_t parity = 0;
    for (uint32_t high = 1U << (bits - 1); high > 1; high >>= 1)
        if (at[axes - 1] & high)
            parity ^= high - 1;
    for (int k = 0; k < axes; k++)
        at[k] ^= parity;
}

static uint64_t index_on_curve(const int32_t *place, int axes, int bits)
{
    uint32_t at[MAP_MOST_DIMS];
    uint64_t index = 0;
    for (int k = 0; k < axes; k++)
        at[k] = (uint32_t)place[k];
    transpose(at, axes, bits);
    for (int bit = bits - 1; bit >= 0; bit--)
        for (int k = 0; k < axes; k++)
            index = index << 1 | (at[k] >> bit & 1);
    return index;
}

/** Bits of a coordinate on a curve; 0: its indices need more than 64 bits, or it is one place. */
static int bits_of_curve(int64_t longest, int axes)
{
    const int bits = bits_for(longest);
    return bits * axes <= 64 ? bits : 0;
}

static int bits_of_grid(const struct grid *grid)
{
    int64_t longest = 1;
    for (int axis = 0; axis < grid->ndims; axis++)
        longest = grid->dims[axis] > longest ? grid->dims[axis] : longest;
    return bits_of_curve(longest, grid->ndims);
}

static int bits_of_network(const struct network *network)
{
    int64_t longest = 1;
    for (int axis = 0; axis < network->ndims; axis++)
        longest = network->dims[axis] > longest ? network->dims[axis] : longest;
    return bits_of_curve(longest, network->ndims);
}

static void order_ranks(struct contest *contest, int bits, uint64_t *keys, int32_t *ranks)
{
    const struct map_problem *problem = contest->problem;
    int32_t at[MAP_MOST_DIMS] = {0};
    for (int32_t rank = 0; rank < problem->ranks; rank++, next_cell(&problem->grid, at)) {
        keys[rank] = index_on_curve(at, problem->grid.ndims, bits);
    }
    if (sort_by_key(keys, ranks, problem->ranks) != MAP_OK)
        contest->status = MAP_NO_MEMORY;
}

static void order_slots(struct contest *contest, int bits, uint64_t *keys, int32_t *slots)
{
    const struct map_problem *problem = contest->problem;
    for (int32_t slot = 0; slot < problem->ranks; slot++) {
        const int32_t *place = place_of(problem, problem->node_of_slot[slot]);
        keys[slot] = index_on_curve(place, problem->network.ndims, bits);
    }
    if (sort_by_key(keys, slots, problem->ranks) != MAP_OK)
        contest->status = MAP_NO_MEMORY;
}

void offer_hilbert(struct contest *contest)
{
    const struct map_problem *problem = contest->problem;
    const bool torus = problem->network.kind == MAP_TORUS;
    const int grid_bits = problem->grid.ndims ? bits_of_grid(&problem->grid) : 0;
    const int network_bits = torus ? bits_of_network(&problem->network) : 0;
    if (grid_bits == 0 || (torus && network_bits == 0))
        return;
    uint64_t *keys = array_of(problem->ranks, sizeof *keys);
    int32_t *ranks = contest_list(contest, problem->ranks);
    int32_t *slots = contest_list(contest, problem->ranks);
    if (keys && ranks && slots) {
        order_ranks(contest, grid_bits, keys, ranks);
        if (torus) {
            order_slots(contest, network_bits, keys, slots);
            contest_offer_orders(contest, ranks, slots);
        } else {
            offer_on_nodes(contest, ranks);
        }
    } else {
        contest->status = MAP_NO_MEMORY;
    }
    free(keys);
    free(ranks);
    free(slots);
}
