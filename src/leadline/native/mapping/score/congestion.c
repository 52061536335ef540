#include "score/congestion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem/array.h"
#include "score/lowering.h"
#include "score/rows.h"

static const int radii[RADII] = {1, 2, 3, 4, 5, 6, 8, 11, 16, 24, 40, INT32_MAX};
static const int64_t MOST_WORK = 1000000; /* ranks times entries of rows */

/** A search from one rank after another. */
struct search {
    const struct map_problem *problem;
    int32_t *order, *depth; /**< [ranks] as ranks were come to; edges from the source, -1: none */
    double *ways;           /**< [ranks] shortest ones from the source */
    double *beyond;         /**< [ranks][RADII] sent to ranks further on, by each radius */
    double *carried;        /**< [entries][RADII] over each edge, away from the sources */
};

bool congestion_is_cheap(const struct map_problem *problem)
{
    return problem->ranks * problem->edges.starts[problem->ranks] <= MOST_WORK;
}

static void search_free(struct search *search)
{
    free(search->order);
    free(search->depth);
    free(search->ways);
    free(search->beyond);
    free(search->carried);
}

static bool search_make(const struct map_problem *problem, struct search *search)
{
    const int64_t ranks = problem->ranks, entries = problem->edges.starts[ranks];
    *search = (struct search){
        .problem = problem,
        .order = array_of(ranks, sizeof *search->order),
        .depth = array_of(ranks, sizeof *search->depth),
        .ways = array_of(ranks, sizeof *search->ways),
        .beyond = array_of(ranks * RADII, sizeof *search->beyond),
        .carried = calloc((size_t)(entries * RADII + 1), sizeof *search->carried),
    };
    return search->order && search->depth && search->ways && search->beyond && search->carried;
}

/** Breadth first; returns how many ranks were come to. */
static int32_t spread(struct search *search, int32_t source)
{
    const struct edges *edges = &search->problem->edges;
    int32_t count = 0;
    for (int32_t rank = 0; rank < search->problem->ranks; rank++) {
        search->depth[rank] = -1;
        search->ways[rank] = 0;
    }
    search->order[count++] = source;
    search->depth[source] = 0;
    search->ways[source] = 1;
    for (int32_t i = 0; i < count; i++) {
        const int32_t from = search->order[i];
        for (int64_t e = edges->starts[from]; e < edges->starts[from + 1]; e++) {
            const int32_t to = edges->neighbours[e];
            if (search->depth[to] < 0) {
                search->depth[to] = search->depth[from] + 1;
                search->order[count++] = to;
            }
            if (search->depth[to] == search->depth[from] + 1)
                search->ways[to] += search->ways[from];
        }
    }
    return count;
}

/** What the source sends, from the furthest ranks back to it (Brandes 2001). */
static void carry(struct search *search, int32_t count)
{
    const struct edges *edges = &search->problem->edges;
    memset(search->beyond, 0, (size_t)search->problem->ranks * RADII * sizeof *search->beyond);
    for (int32_t i = count - 1; i >= 0; i--) {
        const int32_t from = search->order[i];
        double *sum = search->beyond + (int64_t)from * RADII;
        for (int64_t e = edges->starts[from]; e < edges->starts[from + 1]; e++) {
            const int32_t to = edges->neighbours[e];
            if (search->depth[to] != search->depth[from] + 1)
                continue;
            const double share = search->ways[from] / search->ways[to];
            const double *further = search->beyond + (int64_t)to * RADII;
            for (int k = 0; k < RADII; k++) {
                const double sent = share * (further[k] + (search->depth[to] <= radii[k]));
                search->carried[e * RADII + k] += sent;
                sum[k] += sent;
            }
        }
    }
}

static int compare_rising(const void *a, const void *b)
{
    const int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return (one > other) - (one < other);
}

/** Numbers of near ranks become sums over those with the fewest. */
static void add_up(int64_t *near, int32_t ranks)
{
    near[0] = 0;
    qsort(near + 1, (size_t)ranks, sizeof *near, compare_rising);
    for (int32_t rank = 1; rank <= ranks; rank++)
        near[rank] += near[rank - 1];
}

/** Both ends of a pair send, each over its own direction of an edge; as ways are alike, so is that.
 */
static void find_most(const struct search *search, bool weighted, struct congestion *congestion)
{
    const int64_t entries = search->problem->edges.starts[search->problem->ranks];
    for (int k = 0; k < RADII; k++) {
        congestion->most[k] = 0;
        for (int64_t e = 0; e < entries; e++)
            congestion->most[k] =
                fmax(congestion->most[k],
                     search->carried[e * RADII + k] / entry_weight(search->problem, weighted, e));
    }
}

int congestion_make(const struct map_problem *problem, bool weighted, struct congestion *congestion)
{
    const int32_t ranks = problem->ranks;
    struct search search;
    bool room = search_make(problem, &search);
    for (int k = 0; k < RADII; k++)
        room = (congestion->near[k] = array_of(ranks + 1, sizeof **congestion->near)) && room;
    for (int32_t source = 0; source < ranks && room; source++) {
        const int32_t count = spread(&search, source);
        carry(&search, count);
        for (int k = 0, i = 1; k < RADII; k++) {
            while (i < count && search.depth[search.order[i]] <= radii[k])
                i++;
            congestion->near[k][source + 1] = i - 1;
        }
    }
    for (int k = 0; k < RADII && room; k++)
        add_up(congestion->near[k], ranks);
    if (room)
        find_most(&search, weighted, congestion);
    search_free(&search);
    return room ? MAP_OK : MAP_NO_MEMORY;
}

void congestion_free(struct congestion *congestion)
{
    for (int k = 0; k < RADII; k++)
        free(congestion->near[k]);
}

double congestion_leaving(const struct congestion *congestion, int64_t count)
{
    double leaving = 0;
    for (int k = 0; k < RADII; k++) {
        const int64_t out = congestion->near[k][count] - count * (count - 1);
        if (out > 0 && congestion->most[k] > 0)
            leaving = fmax(leaving, lowered((double)out / congestion->most[k]));
    }
    return leaving;
}
