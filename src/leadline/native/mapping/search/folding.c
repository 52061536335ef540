#include "search/folding.h"

#include <stdlib.h>

#include "problem/array.h"

enum { LONGEST = 1 << 26 }; /* an axis whose places are looked at one by one */

/** The `digit`th position of a digit after `ordinal` others, counted up and down in turn. */
static int32_t reflected(int64_t ordinal, int32_t digit, int32_t radix)
{
    return ordinal % 2 ? radix - 1 - digit : digit;
}

/** A closed line through two parts: out through all but the first column, back through that. */
static void wind_closed(int32_t place, int32_t outer, int32_t inner, int32_t digits[2])
{
    const int32_t out = outer * (inner - 1);
    if (place < out) {
        digits[0] = place / (inner - 1);
        digits[1] = 1 + reflected(digits[0], place % (inner - 1), inner - 1);
    } else {
        digits[0] = outer - 1 - (place - out);
        digits[1] = 0;
    }
}

/** The digits of a coordinate along `row`, to `digits` by column. */
static void wind(const struct folding *folding, int row, int32_t place, int32_t *digits)
{
    const struct digits *line = &folding->of_row[row];
    const int32_t *parts = folding->parts[row];
    if (folding->closed[row]) {
        int32_t both[2];
        wind_closed(place, parts[line->axis[0]], parts[line->axis[1]], both);
        digits[line->axis[0]] = both[0];
        digits[line->axis[1]] = both[1];
        return;
    }
    int32_t block = folding->grid[row], ordinal = 0;
    for (int k = 0; k < line->count; k++) {
        const int32_t radix = parts[line->axis[k]];
        block /= radix;
        digits[line->axis[k]] = reflected(ordinal, place / block % radix, radix);
        ordinal = place / block;
    }
}

int32_t folding_place(const struct folding *folding, int column, const int32_t *digits)
{
    const struct digits *line = &folding->of_column[column];
    int32_t place = 0;
    for (int k = 0; k < line->count; k++) {
        const int32_t radix = folding->parts[line->axis[k]][column];
        place = place * radix + reflected(place, digits[line->axis[k]], radix);
    }
    return place;
}

/* -- choices that the parts leave ---------------------------------------------------------------*/

static void append_digit(struct digits *digits, int axis, bool in_front)
{
    const int place = in_front ? 0 : digits->count;
    for (int k = digits->count; k > place; k--)
        digits->axis[k] = digits->axis[k - 1];
    digits->axis[place] = axis;
    digits->count++;
}

/** The next bit of `choices`, if there is a choice. */
static bool choose(unsigned *choices, bool is_free)
{
    const bool chosen = is_free && *choices & 1;
    *choices >>= is_free;
    return chosen;
}

/** The digits of a line of parts, `stride` apart, in the order or the other that is chosen. */
static void order_digits(struct digits *line, const int32_t *parts, int length, int stride,
                         unsigned *choices)
{
    int count = 0;
    for (int k = 0; k < length; k++)
        count += parts[k * stride] > 1;
    const bool in_front = choose(choices, count > 1);
    line->count = 0;
    for (int k = 0; k < length; k++)
        if (parts[k * stride] > 1)
            append_digit(line, k, in_front);
}

bool folding_wind(struct folding *folding, unsigned choices)
{
    for (int row = 0; row < folding->rows; row++) {
        const int32_t *parts = folding->parts[row];
        struct digits *line = &folding->of_row[row];
        order_digits(line, parts, folding->columns, 1, &choices);
        const bool can_close = line->count == 2 && parts[line->axis[0]] % 2 == 0;
        folding->closed[row] = choose(&choices, can_close);
    }
    for (int column = 0; column < folding->columns; column++)
        order_digits(&folding->of_column[column], &folding->parts[0][column], folding->rows,
                     FOLDED_AXES, &choices);
    if (choices != 0)
        return false;
    for (int row = 0; row < folding->rows; row++)
        for (int32_t place = 0; place < folding->grid[row]; place++)
            wind(folding, row, place, folding->digits[row][place]);
    return true;
}

/* -- lengths ------------------------------------------------------------------------------------*/

static int add_rows(const struct grid *grid, struct folding *folding)
{
    for (int axis = 0; axis < grid->ndims; axis++) {
        if (grid->dims[axis] == 1)
            continue;
        if (folding->rows == FOLDED_AXES)
            return MAP_NOT_APPLICABLE;
        const int row = folding->rows++;
        folding->grid_axis[row] = axis;
        folding->grid[row] = grid->dims[axis];
        folding->digits[row] = array_of(grid->dims[axis], sizeof *folding->digits[row]);
        if (!folding->digits[row])
            return MAP_NO_MEMORY;
    }
    return folding->rows > 0 ? MAP_OK : MAP_NOT_APPLICABLE;
}

/** The different coordinates of nodes along `axis`, upwards, to `list` unless it is NULL. */
static int32_t find_coordinates(const struct map_problem *problem, int axis, bool *seen,
                                int32_t *list)
{
    int32_t different = 0;
    for (int32_t node = 0; node < problem->nodes; node++)
        seen[place_of(problem, node)[axis]] = true;
    for (int64_t at = 0; at < problem->network.dims[axis]; at++) {
        if (seen[at] && list)
            list[different] = (int32_t)at;
        different += seen[at];
    }
    return different;
}

static int add_column(const struct map_problem *problem, int axis, struct folding *folding,
                      int64_t *volume)
{
    const int64_t length = problem->network.dims[axis];
    if (length > LONGEST)
        return MAP_NOT_APPLICABLE;
    bool *seen = calloc((size_t)length, sizeof *seen);
    if (!seen)
        return MAP_NO_MEMORY;
    int status = MAP_OK;
    const int32_t different = find_coordinates(problem, axis, seen, NULL);
    *volume *= different;
    if (*volume > problem->nodes || (different > 1 && folding->columns == FOLDED_AXES)) {
        status = MAP_NOT_APPLICABLE;
    } else if (different > 1) {
        const int column = folding->columns++;
        folding->network_axis[column] = axis;
        folding->box[column] = different;
        int32_t *list = folding->coordinates[column] = array_of(different, sizeof *list);
        status = list ? MAP_OK : MAP_NO_MEMORY;
        if (list)
            find_coordinates(problem, axis, seen, list);
    }
    free(seen);
    return status;
}

int folding_make(const struct map_problem *problem, struct folding *folding)
{
    *folding = (struct folding){0};
    if (problem->grid.ndims == 0 || problem->network.kind != MAP_TORUS ||
        problem->nodes != problem->ranks)
        return MAP_NOT_APPLICABLE;
    int64_t volume = 1;
    int status = add_rows(&problem->grid, folding);
    for (int axis = 0; axis < problem->network.ndims && status == MAP_OK; axis++)
        status = add_column(problem, axis, folding, &volume);
    if (status == MAP_OK && (volume != problem->nodes || folding->columns == 0))
        status = MAP_NOT_APPLICABLE;
    return status;
}

void folding_free(struct folding *folding)
{
    for (int k = 0; k < FOLDED_AXES; k++) {
        free(folding->digits[k]);
        free(folding->coordinates[k]);
    }
}

/* -- what a folding sends ---------------------------------------------------------------------- */

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
