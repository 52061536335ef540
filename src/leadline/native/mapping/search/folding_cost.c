#include "search/folding_cost.h"

#include <stdlib.h>

/** Hops between two places along the box's axis `column`. */
static int64_t apart(const struct map_problem *problem, const struct folding *folding, int column,
                     int32_t place, int32_t other)
{
    const int axis = folding->network_axis[column];
    const int32_t *at = folding->coordinates[column];
    const int64_t straight = llabs((int64_t)at[place] - at[other]);
    const int64_t around = problem->network.dims[axis] - straight;
    return problem->network.periodic[axis] && around < straight ? around : straight;
}

/** The hops along `column` where `row`'s digit goes from `a` to `b`, over all digits of others. */
static int64_t change_digit(const struct map_problem *problem, const struct folding *folding,
                            int row, int column, int32_t a, int32_t b)
{
    const struct digits *line = &folding->of_column[column];
    const int32_t others = folding->box[column] / folding->parts[row][column];
    int64_t sum = 0;
    for (int32_t number = 0; number < others; number++) {
        int32_t digits[FOLDED_AXES] = {0}, rest = number;
        for (int k = 0; k < line->count; k++) {
            const int32_t radix = folding->parts[line->axis[k]][column];
            if (line->axis[k] == row)
                continue;
            digits[line->axis[k]] = rest % radix;
            rest /= radix;
        }
        digits[row] = a;
        const int32_t place = folding_place(folding, column, digits);
        digits[row] = b;
        sum += apart(problem, folding, column, place, folding_place(folding, column, digits));
    }
    return sum;
}

/** Hops of all edges along `row`, each way, that `column` adds; at most `grid` edges a line. */
static double count_hops(const struct map_problem *problem, const struct folding *folding, int row,
                         int column, int64_t *adjacent)
{
    const int32_t length = folding->grid[row], part = folding->parts[row][column];
    const bool ring = problem->grid.periodic[folding->grid_axis[row]];
    int64_t sum = 0;
    for (int32_t digit = 0; digit < part; digit++)
        adjacent[digit] = -1;
    for (int32_t place = 0; place < (ring ? length : length - 1); place++) {
        const int32_t a = folding->digits[row][place][column];
        const int32_t b = folding->digits[row][(place + 1) % length][column];
        if (a == b)
            continue;
        int64_t once = 0, *known = abs(a - b) == 1 ? &adjacent[a < b ? a : b] : &once;
        if (known == &once || *known < 0)
            *known = change_digit(problem, folding, row, column, a, b);
        sum += *known;
    }
    const int64_t lines = problem->ranks / length;
    return (double)sum * (double)(lines / (folding->box[column] / part));
}

double folding_traffic(const struct map_problem *problem, const struct folding *folding, int metric,
                       int64_t *adjacent)
{
    double sum = 0;
    for (int row = 0; row < folding->rows; row++) {
        const double weight = weight_along(&problem->grid, folding->grid_axis[row]);
        const double counted = metric == MAP_HOPS && weight > 0 ? 2 : weight;
        for (int column = 0; column < folding->columns; column++)
            if (folding->parts[row][column] > 1)
                sum += counted * count_hops(problem, folding, row, column, adjacent);
    }
    return sum;
}
