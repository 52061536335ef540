/**
 * Fold and Gray code: each axis of the grid is a product of parts of axes of the network.
 *
 * The parts of an axis are the digits of a reflected number (a Gray code): where a coordinate
 * changes by 1, one digit changes by 1. So a line of the grid winds through the network like a
 * snake, and an axis of the network is folded out of the parts that share it.
 */
#include <stdlib.h>

#include "methods/methods.h"
#include "problem/array.h"
#include "problem/sort.h"
#include "search/cells.h"

enum { MOST_AXES = 6, MOST_FOLDINGS = 32, MOST_VARIANTS = 64, SPARE_PARTS = 3 };

/** Digits of one number: the indices of their axes, the most significant first. */
struct digits {
    int count;
    int axis[MOST_AXES];
};

struct folding {
    struct contest *contest;
    int rows, columns;
    int grid_axis[MOST_AXES];                /**< the axis of the grid that each row is */
    int32_t grid[MOST_AXES], box[MOST_AXES]; /**< lengths */
    int32_t parts[MOST_AXES][MOST_AXES];     /**< products of rows: grid, of columns: box */
    struct digits of_row[MOST_AXES], of_column[MOST_AXES];
    bool closed[MOST_AXES]; /**< the line through a row's two parts ends beside its beginning */
    int left;               /**< foldings that are still to be tried */
    int32_t *slots;
    int32_t (*digits[MOST_AXES])[MOST_AXES]; /**< of each coordinate along each row, by column */
};

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

/** The node at the places along the box's axes that the digits at cell `at` make up. */
static int32_t node_at(const struct folding *folding, const int32_t *at)
{
    int32_t node = 0;
    for (int column = 0; column < folding->columns; column++) {
        const struct digits *line = &folding->of_column[column];
        int32_t place = 0;
        for (int k = 0; k < line->count; k++) {
            const int row = line->axis[k];
            const int32_t digit = folding->digits[row][at[folding->grid_axis[row]]][column];
            const int32_t radix = folding->parts[row][column];
            place = place * radix + reflected(place, digit, radix);
        }
        node = node * folding->box[column] + place;
    }
    return node;
}

static void offer_variant(struct folding *folding)
{
    const struct map_problem *problem = folding->contest->problem;
    int32_t at[MAP_MOST_DIMS] = {0};
    for (int row = 0; row < folding->rows; row++)
        for (int32_t place = 0; place < folding->grid[row]; place++)
            wind(folding, row, place, folding->digits[row][place]);
    for (int32_t rank = 0; rank < problem->ranks; rank++, next_cell(&problem->grid, at))
        folding->slots[rank] = problem->slots_by_node[node_at(folding, at)];
    contest_offer(folding->contest, folding->slots);
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

/** Orders the digits and closes lines as the bits of `choices` say; false: they say more. */
static bool decide(struct folding *folding, unsigned choices)
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
                     MOST_AXES, &choices);
    return choices == 0;
}

/* -- foldings -----------------------------------------------------------------------------------*/

static int32_t common_divisor(int32_t a, int32_t b)
{
    while (b) {
        const int32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/** Tries all ways to fill the parts from `cell` on with `parts` that are longer than 1. */
static void divide(struct folding *folding, int cell, int parts, const int32_t *grid_left,
                   const int32_t *box_left)
{
    const int row = cell / folding->columns, column = cell % folding->columns;
    if (!contest_open(folding->contest) || folding->left == 0 || parts < 0)
        return;
    if (row == folding->rows) {
        if (parts > 0)
            return;
        folding->left--;
        for (unsigned choices = 0; choices < MOST_VARIANTS; choices++)
            if (decide(folding, choices) && contest_open(folding->contest))
                offer_variant(folding);
        return;
    }
    const bool last_column = column == folding->columns - 1, last_row = row == folding->rows - 1;
    const int32_t common = common_divisor(grid_left[row], box_left[column]);
    for (int32_t part = common; part > 0; part--) {
        int32_t grid[MOST_AXES], box[MOST_AXES];
        if (common % part || (last_column && part != grid_left[row]) ||
            (last_row && part != box_left[column]))
            continue;
        for (int k = 0; k < MOST_AXES; k++) {
            grid[k] = k == row ? grid_left[k] / part : grid_left[k];
            box[k] = k == column ? box_left[k] / part : box_left[k];
        }
        folding->parts[row][column] = part;
        divide(folding, cell + 1, parts - (part > 1), grid, box);
    }
}

static bool add_rows(struct folding *folding)
{
    const struct grid *grid = &folding->contest->problem->grid;
    for (int axis = 0; axis < grid->ndims; axis++) {
        if (grid->dims[axis] == 1)
            continue;
        if (folding->rows == MOST_AXES)
            return false;
        folding->digits[folding->rows] = array_of(grid->dims[axis], sizeof *folding->digits[0]);
        if (!folding->digits[folding->rows])
            folding->contest->status = MAP_NO_MEMORY;
        folding->grid_axis[folding->rows] = axis;
        folding->grid[folding->rows++] = grid->dims[axis];
    }
    return folding->rows > 0;
}

/** The number of different coordinates that nodes have along `axis`. */
static int32_t extent(struct contest *contest, int axis, uint64_t *keys, int32_t *values)
{
    const struct map_problem *problem = contest->problem;
    int32_t different = 1;
    for (int32_t node = 0; node < problem->nodes; node++)
        keys[node] = (uint64_t)place_of(problem, node)[axis];
    if (sort_by_key(keys, values, problem->nodes) != MAP_OK)
        contest->status = MAP_NO_MEMORY;
    for (int32_t node = 1; node < problem->nodes; node++)
        different += keys[node] != keys[node - 1];
    return different;
}

/** Whether the nodes fill a box, perhaps with whole planes missing between. */
static bool add_columns(struct folding *folding)
{
    const struct map_problem *problem = folding->contest->problem;
    uint64_t *keys = array_of(problem->nodes, sizeof *keys);
    int64_t volume = 1;
    bool fits = keys != NULL;
    for (int axis = 0; axis < problem->network.ndims && fits; axis++) {
        const int32_t length = extent(folding->contest, axis, keys, folding->slots);
        volume *= length;
        fits = folding->columns < MOST_AXES && volume <= problem->nodes;
        if (fits && length > 1)
            folding->box[folding->columns++] = length;
    }
    free(keys);
    return fits && volume == problem->nodes && folding->columns > 0;
}

void offer_fold(struct contest *contest)
{
    const struct map_problem *problem = contest->problem;
    struct folding folding = {.contest = contest, .left = MOST_FOLDINGS};
    if (problem->grid.ndims == 0 || problem->network.kind != MAP_TORUS ||
        problem->nodes != problem->ranks)
        return;
    folding.slots = contest_list(contest, problem->ranks);
    if (folding.slots && add_rows(&folding) && add_columns(&folding)) {
        const int least = folding.rows > folding.columns ? folding.rows : folding.columns;
        for (int parts = least; parts <= least + SPARE_PARTS; parts++)
            divide(&folding, 0, parts, folding.grid, folding.box);
    }
    for (int row = 0; row < folding.rows; row++)
        free(folding.digits[row]);
    free(folding.slots);
}
