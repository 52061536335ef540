#include "score/connection.h"

#include <math.h>
#include <stdlib.h>

#include "problem/array.h"
#include "score/rows.h"

enum { BITS = 64 };

/** A search in depth (Tarjan 1974). */
struct search {
    const struct edges *edges;
    int32_t *number; /**< [ranks] in which order ranks were come to; 0: not yet */
    int32_t *lowest; /**< [ranks] the first rank that is reached from below by one more edge */
    int32_t *above;  /**< [ranks] from where; -1: the first of its part */
    int64_t *next;   /**< [ranks] the entry to look at */
    int64_t *sizes;  /**< [ranks + 1] how many parts have so many ranks */
    int32_t numbered;
    bool bridged;
};

static bool search_make(const struct map_problem *problem, struct search *search)
{
    const int64_t ranks = problem->ranks;
    *search = (struct search){
        .edges = &problem->edges,
        .number = calloc((size_t)ranks, sizeof *search->number),
        .lowest = array_of(ranks, sizeof *search->lowest),
        .above = array_of(ranks, sizeof *search->above),
        .next = array_of(ranks, sizeof *search->next),
        .sizes = calloc((size_t)ranks + 1, sizeof *search->sizes),
    };
    return search->number && search->lowest && search->above && search->next && search->sizes;
}

static void search_free(struct search *search)
{
    free(search->number);
    free(search->lowest);
    free(search->above);
    free(search->next);
    free(search->sizes);
}

static void enter(struct search *search, int32_t rank, int32_t above)
{
    search->number[rank] = search->lowest[rank] = ++search->numbered;
    search->above[rank] = above;
    search->next[rank] = search->edges->starts[rank];
}

/** Back from `rank`, of which all is seen. */
static int32_t leave(struct search *search, int32_t rank)
{
    const int32_t above = search->above[rank];
    if (above < 0)
        return above;
    if (search->lowest[rank] < search->lowest[above])
        search->lowest[above] = search->lowest[rank];
    search->bridged = search->bridged || search->lowest[rank] > search->number[above];
    return above;
}

/** Goes through the part of `first`; the edge that leads back is no second way but once. */
static void explore(struct search *search, int32_t first)
{
    const int32_t before = search->numbered;
    enter(search, first, -1);
    for (int32_t rank = first; rank >= 0;) {
        if (search->next[rank] == search->edges->starts[rank + 1]) {
            rank = leave(search, rank);
            continue;
        }
        const int32_t other = search->edges->neighbours[search->next[rank]++];
        if (!search->number[other]) {
            enter(search, other, rank);
            rank = other;
        } else if (other != search->above[rank] && search->number[other] < search->lowest[rank]) {
            search->lowest[rank] = search->number[other];
        }
    }
    search->sizes[search->numbered - before]++;
}

/** Every sum of some of the sizes: `times` of each by ones, twos, fours and so on. */
static void add_sums(uint64_t *whole, int64_t ranks, int64_t size, int64_t times)
{
    const int64_t words = ranks / BITS + 1;
    for (int64_t part = 1; times > 0; part *= 2) {
        const int64_t taken = part < times ? part : times, shift = taken * size;
        times -= taken;
        for (int64_t word = words - 1; word >= shift / BITS; word--) {
            const int64_t from = word - shift / BITS;
            uint64_t moved = whole[from] << shift % BITS;
            if (shift % BITS && from > 0)
                moved |= whole[from - 1] >> (BITS - shift % BITS);
            whole[word] |= moved;
        }
    }
}

/** The lightest edge, and two together, of which each pair has its entry in two rows. */
static void find_lightest(const struct map_problem *problem, bool weighted,
                          struct connection *connection)
{
    double first = INFINITY, second = INFINITY;
    for (int32_t rank = 0; rank < problem->ranks; rank++) {
        for (int64_t e = problem->edges.starts[rank]; e < problem->edges.starts[rank + 1]; e++) {
            const double weight = entry_weight(problem, weighted, e);
            if (problem->edges.neighbours[e] < rank || weight >= second)
                continue;
            second = weight < first ? first : weight;
            first = fmin(first, weight);
        }
    }
    connection->edge = first;
    connection->lightest = connection->bridged ? first : first + second;
}

int connection_make(const struct map_problem *problem, bool weighted, struct connection *connection)
{
    const int32_t ranks = problem->ranks;
    struct search search;
    *connection = (struct connection){.whole = calloc((size_t)ranks / BITS + 1, sizeof(uint64_t))};
    const bool room = search_make(problem, &search) && connection->whole;
    for (int32_t rank = 0; rank < ranks && room; rank++) {
        if (search.number[rank])
            continue;
        explore(&search, rank);
        connection->parts++;
    }
    if (room) {
        connection->whole[0] = 1;
        for (int64_t size = 1; size <= ranks; size++)
            add_sums(connection->whole, ranks, size, search.sizes[size]);
        connection->bridged = search.bridged;
        find_lightest(problem, weighted, connection);
    }
    search_free(&search);
    return room ? MAP_OK : MAP_NO_MEMORY;
}

void connection_free(struct connection *connection)
{
    free(connection->whole);
}

double connection_leaving(const struct connection *connection, int64_t count)
{
    const bool whole = connection->whole[count / BITS] >> count % BITS & 1;
    return whole || isinf(connection->lightest) ? 0 : connection->lightest;
}
