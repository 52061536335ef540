/**
 * Fold and Gray code: axes of the grid wound through those of the network. All foldings with few
 * parts are judged by what they send, which is known without making them; the best are offered.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/methods.h"
#include "problem/array.h"
#include "search/cells.h"
#include "search/folding.h"

enum { MOST_FOLDINGS = 64, MOST_VARIANTS = 64, MOST_KEPT = 64, SPARE_PARTS = 3 };
enum { EFFORT = 1 << 20 }; /* places of axes, of all variants together */

/** A folding and the way it is wound. */
struct variant {
    int32_t parts[FOLDED_AXES][FOLDED_AXES];
    unsigned choices;
    double traffic;
};

/** The best variants, those that send least first. */
struct variants {
    const struct map_problem *problem;
    int metric;
    struct folding folding;
    int64_t *adjacent; /**< as folding_traffic needs it */
    int64_t effort;
    int left; /**< foldings that are still to be tried */
    int count;
    struct variant kept[MOST_KEPT];
};

static void keep(struct variants *variants, unsigned choices)
{
    const struct folding *folding = &variants->folding;
    const double traffic =
        folding_traffic(variants->problem, folding, variants->metric, variants->adjacent);
    struct variant *kept = variants->kept;
    int place = variants->count;
    if (place == MOST_KEPT && traffic >= kept[--place].traffic)
        return;
    for (; place > 0 && kept[place - 1].traffic > traffic; place--)
        kept[place] = kept[place - 1];
    kept[place] = (struct variant){.choices = choices, .traffic = traffic};
    memcpy(kept[place].parts, folding->parts, sizeof folding->parts);
    variants->count += variants->count < MOST_KEPT;
}

static void keep_variants(struct variants *variants)
{
    const struct folding *folding = &variants->folding;
    int64_t places = 0;
    for (int row = 0; row < folding->rows; row++)
        places += folding->grid[row];
    for (int column = 0; column < folding->columns; column++)
        places += folding->box[column];
    for (unsigned choices = 0; choices < MOST_VARIANTS && variants->effort > 0; choices++) {
        if (!folding_wind(&variants->folding, choices))
            continue;
        keep(variants, choices);
        variants->effort -= places;
    }
}

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
static void divide(struct variants *variants, int cell, int parts, const int32_t *grid_left,
                   const int32_t *box_left)
{
    struct folding *folding = &variants->folding;
    const int row = cell / folding->columns, column = cell % folding->columns;
    if (variants->effort <= 0 || variants->left == 0 || parts < 0)
        return;
    if (row == folding->rows) {
        if (parts > 0)
            return;
        variants->left--;
        keep_variants(variants);
        return;
    }
    const bool last_column = column == folding->columns - 1, last_row = row == folding->rows - 1;
    const int32_t common = common_divisor(grid_left[row], box_left[column]);
    for (int32_t part = common; part > 0; part--) {
        int32_t grid[FOLDED_AXES], box[FOLDED_AXES];
        if (common % part || (last_column && part != grid_left[row]) ||
            (last_row && part != box_left[column]))
            continue;
        for (int k = 0; k < FOLDED_AXES; k++) {
            grid[k] = k == row ? grid_left[k] / part : grid_left[k];
            box[k] = k == column ? box_left[k] / part : box_left[k];
        }
        folding->parts[row][column] = part;
        divide(variants, cell + 1, parts - (part > 1), grid, box);
    }
}

/** The best foldings by `metric`; to be freed in any case. Returns a status as folding_make. */
static int find_variants(const struct map_problem *problem, int metric, struct variants *variants)
{
    struct folding *folding = &variants->folding;
    *variants = (struct variants){
        .problem = problem, .metric = metric, .effort = EFFORT, .left = MOST_FOLDINGS};
    const int status = folding_make(problem, folding);
    if (status != MAP_OK)
        return status;
    variants->adjacent = array_of(problem->ranks, sizeof *variants->adjacent);
    if (!variants->adjacent)
        return MAP_NO_MEMORY;
    const int least = folding->rows > folding->columns ? folding->rows : folding->columns;
    for (int parts = least; parts <= least + SPARE_PARTS; parts++)
        divide(variants, 0, parts, folding->grid, folding->box);
    return MAP_OK;
}

static void free_variants(struct variants *variants)
{
    folding_free(&variants->folding);
    free(variants->adjacent);
}

/** The node at the places along the box's axes that the digits at cell `at` make up. */
static int32_t node_at(const struct folding *folding, const int32_t *at)
{
    int32_t node = 0;
    for (int column = 0; column < folding->columns; column++) {
        int32_t digits[FOLDED_AXES];
        for (int row = 0; row < folding->rows; row++)
            digits[row] = folding->digits[row][at[folding->grid_axis[row]]][column];
        node = node * folding->box[column] + folding_place(folding, column, digits);
    }
    return node;
}

static void offer_variant(struct contest *contest, struct folding *folding,
                          const struct variant *variant, int32_t *slots)
{
    const struct map_problem *problem = contest->problem;
    int32_t at[MAP_MOST_DIMS] = {0};
    memcpy(folding->parts, variant->parts, sizeof folding->parts);
    folding_wind(folding, variant->choices);
    for (int32_t rank = 0; rank < problem->ranks; rank++, next_cell(&problem->grid, at))
        slots[rank] = problem->slots_by_node[node_at(folding, at)];
    contest_offer(contest, slots);
}

void offer_fold(struct contest *contest)
{
    const struct map_problem *problem = contest->problem;
    const bool exact = (contest->metric == MAP_HOPS || contest->metric == MAP_HOP_BYTES) &&
                       !problem->grid.diagonals;
    struct variants *variants = array_of(1, sizeof *variants);
    int32_t *slots = contest_list(contest, problem->ranks);
    int status = variants && slots ? MAP_OK : MAP_NO_MEMORY;
    if (status == MAP_OK) {
        status = find_variants(problem, contest->metric, variants);
        for (int k = 0; k < variants->count && contest_open(contest); k++)
            if (!exact || variants->kept[k].traffic <= variants->kept[0].traffic)
                offer_variant(contest, &variants->folding, &variants->kept[k], slots);
        free_variants(variants);
    }
    if (status == MAP_NO_MEMORY)
        contest->status = status;
    free(variants);
    free(slots);
}

int forecast_fold(const struct map_problem *problem, double *traffic)
{
    struct variants *variants = array_of(1, sizeof *variants);
    if (!variants)
        return MAP_NO_MEMORY;
    const int status = find_variants(problem, MAP_HOP_BYTES, variants);
    *traffic = status == MAP_OK && variants->count > 0 ? variants->kept[0].traffic : INFINITY;
    free_variants(variants);
    free(variants);
    return status == MAP_NO_MEMORY ? status : MAP_OK;
}
