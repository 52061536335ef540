#include "score/rows.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_INSERTED = 32 };

static const double SMALLEST_UNIT = 1e-6; /* of the largest weight: sums stay exact */

static double weight_of(const struct map_problem *problem, bool weighted, bool sent, int64_t e)
{
    if (!sent)
        return entry_weight(problem, weighted, e);
    return weighted && problem->edges.out ? problem->edges.out[e] : 1;
}

int64_t longest_row(const struct map_problem *problem)
{
    const int64_t *starts = problem->edges.starts;
    int64_t longest = 0;
    for (int32_t rank = 0; rank < problem->ranks; rank++)
        if (starts[rank + 1] - starts[rank] > longest)
            longest = starts[rank + 1] - starts[rank];
    return longest;
}

bool rows_have_doubles(const struct grid *grid)
{
    for (int axis = 0; axis < grid->ndims; axis++)
        if (grid->periodic[axis] && grid->dims[axis] == 2)
            return true;
    return false;
}

static int compare_falling(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one < other) - (one > other);
}

static void sort_falling(double *weights, int64_t count)
{
    if (count > MOST_INSERTED)
        qsort(weights, (size_t)count, sizeof *weights, compare_falling);
    for (int64_t i = 1; i < count && count <= MOST_INSERTED; i++) {
        const double weight = weights[i];
        int64_t place = i;
        for (; place > 0 && weights[place - 1] < weight; place--)
            weights[place] = weights[place - 1];
        weights[place] = weight;
    }
}

/** Whether the pair of `rank` and `other` counts in the row of `rank`. */
static bool is_own(const struct edges *edges, int32_t rank, int32_t other)
{
    const int64_t mine = edges->starts[rank + 1] - edges->starts[rank];
    const int64_t theirs = edges->starts[other + 1] - edges->starts[other];
    return mine > theirs || (mine == theirs && rank < other);
}

int64_t row_weights(const struct map_problem *problem, bool weighted, enum row_part part,
                    int32_t rank, double *weights)
{
    const int64_t begin = problem->edges.starts[rank], end = problem->edges.starts[rank + 1];
    const int32_t *neighbours = problem->edges.neighbours;
    const bool doubles = rows_have_doubles(&problem->grid), sent = part == ROW_SENT;
    int64_t count = 0;
    for (int64_t e = begin; e < end; e++) {
        double weight = weight_of(problem, weighted, sent, e);
        bool again = part == ROW_OWN && !is_own(&problem->edges, rank, neighbours[e]);
        for (int64_t other = begin; doubles && other < end; other++) {
            if (other == e || neighbours[other] != neighbours[e])
                continue;
            again = again || other < e;
            weight += weight_of(problem, weighted, sent, other);
        }
        if (!again)
            weights[count++] = weight;
    }
    sort_falling(weights, count);
    return count;
}

double common_unit(const struct map_problem *problem, bool weighted, bool sent)
{
    const int64_t entries = problem->edges.starts[problem->ranks];
    const bool alike = !weighted || !problem->edges.out;
    double unit = 0, largest = 0, last = 0;
    for (int64_t e = 0; e < (alike && entries ? 1 : entries); e++) {
        double weight = weight_of(problem, weighted, sent, e);
        if (weight == last)
            continue;
        last = weight;
        largest = fmax(largest, weight);
        while (weight > 0) { /* Euclid's algorithm, exact in binary */
            const double rest = fmod(unit, weight);
            unit = weight;
            weight = rest;
        }
        if (unit < largest * SMALLEST_UNIT)
            return 0;
    }
    return unit;
}

bool has_even_rows(const struct map_problem *problem)
{
    for (int32_t rank = 0; rank < problem->ranks; rank++)
        if ((problem->edges.starts[rank + 1] - problem->edges.starts[rank]) % 2)
            return false;
    return true;
}

double weight_of_all(const struct map_problem *problem, bool weighted)
{
    const int64_t entries = problem->edges.starts[problem->ranks];
    for (int64_t e = 1; e < entries && weighted && problem->edges.both; e++)
        if (problem->edges.both[e] != problem->edges.both[0])
            return 0;
    return entries ? entry_weight(problem, weighted, 0) : 0;
}
