#include "score/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INSERTED = 32, MOST_SEEN = 8 };

/* Of the largest weight. Together fractions err by less than MAP_ROUNDING, whole numbers not. */
static const double SMALLEST_REST = 1e-13, SMALLEST_FRACTION = 1e-4, SMALLEST_WHOLE = 1e-9;

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

/** The greatest common divisor, by Euclid's algorithm; a rest that small is of rounding. */
static double divisor_of(double unit, double weight, double smallest_rest)
{
    while (weight > smallest_rest) {
        const double rest = fmod(unit, weight);
        unit = weight;
        weight = rest < weight - smallest_rest ? rest : 0;
    }
    return unit;
}

/** Whether `weight` is one of the last few; if not, it becomes one. */
static bool was_seen(double *seen, double weight)
{
    for (int k = 0; k < MOST_SEEN; k++)
        if (seen[k] == weight)
            return true;
    memmove(seen + 1, seen, (MOST_SEEN - 1) * sizeof *seen);
    seen[0] = weight;
    return false;
}

double common_unit(const struct map_problem *problem, bool weighted, bool sent)
{
    const bool alike = !weighted || !problem->edges.out;
    const int64_t entries = problem->edges.starts[problem->ranks];
    double unit = 0, largest = 0, smallest = SMALLEST_WHOLE, seen[MOST_SEEN] = {0};
    for (int64_t e = 0; e < (alike && entries ? 1 : entries); e++) {
        const double weight = weight_of(problem, weighted, sent, e);
        if (was_seen(seen, weight))
            continue;
        largest = fmax(largest, weight);
        smallest = weight == rint(weight) ? smallest : SMALLEST_FRACTION;
        unit = divisor_of(unit, weight, largest * SMALLEST_REST);
        if (unit < largest * smallest)
            return 0;
    }
    return unit;
}

bool is_row_as_before(const struct map_problem *problem, bool weighted, int32_t rank)
{
    const struct edges *edges = &problem->edges;
    if (rank == 0 || rows_have_doubles(&problem->grid))
        return false;
    const int64_t before = edges->starts[rank - 1], begin = edges->starts[rank];
    const int64_t count = begin - before;
    if (edges->starts[rank + 1] - begin != count)
        return false;
    const size_t bytes = (size_t)count * sizeof *edges->out;
    return !weighted || !edges->out ||
           (memcmp(edges->out + begin, edges->out + before, bytes) == 0 &&
            memcmp(edges->both + begin, edges->both + before, bytes) == 0);
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
