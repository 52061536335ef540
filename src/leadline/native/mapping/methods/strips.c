/**
 * Strips: bars along one axis, nearly as wide as a cube of a node's size, filled one after the
 * other, up and down in turn (Hunold and others 2020, there for one width).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/methods.h"
#include "problem/array.h"
#include "problem/sort.h"
#include "search/cells.h"

enum { MOST_SHAPES = 512, WIDTHS = 7, MOST_AXES = 8 };

static const double ROUNDING = 1e-6; /* a cube root must not decide by its last digit */

/** The number of strips along each axis; 1 along the one they follow. */
struct shape {
    int along;
    int32_t strips[MOST_AXES];
    double cut; /**< about what it cuts */
};

struct shapes {
    const struct map_problem *problem;
    double side; /**< of a cube of a node's size */
    int count;
    struct shape shape[MOST_SHAPES];
};

/** Faces between strips, and between the nodes in them. */
static double estimate_cut(const struct map_problem *problem, const struct shape *shape)
{
    const struct grid *grid = &problem->grid;
    double cut = 0, section = 1;
    for (int axis = 0; axis < grid->ndims; axis++) {
        if (axis == shape->along)
            continue;
        const double layer = (double)problem->ranks / grid->dims[axis];
        const int32_t cuts = shape->strips[axis] - !grid->periodic[axis];
        cut += weight_along(grid, axis) * cuts * layer;
        section *= (double)grid->dims[axis] / shape->strips[axis];
    }
    return cut + weight_along(grid, shape->along) * section * problem->nodes;
}

static void add_shapes(struct shapes *shapes, struct shape *shape, int axis)
{
    const struct grid *grid = &shapes->problem->grid;
    if (axis == grid->ndims) {
        if (shapes->count < MOST_SHAPES) {
            shape->cut = estimate_cut(shapes->problem, shape);
            shapes->shape[shapes->count++] = *shape;
        }
        return;
    }
    shape->strips[axis] = 1;
    if (axis == shape->along) {
        add_shapes(shapes, shape, axis + 1);
        return;
    }
    const int32_t near = (int32_t)(grid->dims[axis] / shapes->side + ROUNDING);
    const int reach = grid->ndims > 3 ? 1 : WIDTHS / 2;
    for (int32_t strips = near - reach; strips <= near + reach + 1; strips++) {
        if (strips < 1 || strips > grid->dims[axis])
            continue;
        shape->strips[axis] = strips;
        add_shapes(shapes, shape, axis + 1);
    }
}

static int by_cut(const void *a, const void *b)
{
    const struct shape *left = a, *right = b;
    if (left->cut != right->cut)
        return left->cut < right->cut ? -1 : 1;
    return left->along != right->along ? left->along - right->along
                                       : memcmp(left->strips, right->strips, sizeof left->strips);
}

/** A number of mixed radix, counted up and down in turn so that neighbours stay neighbours. */
struct counter {
    uint64_t place; /**< with radices that are the same everywhere, so that it sorts */
    bool odd;       /**< how many came before under the same higher digits */
};

static void append(struct counter *counter, int64_t digit, int64_t radix, int64_t most)
{
    const int64_t turned = counter->odd ? radix - 1 - digit : digit;
    counter->place = counter->place * (uint64_t)most + (uint64_t)turned;
    counter->odd = ((counter->odd && radix % 2) + turned) % 2;
}

/** Where `at` comes in the order: its strip, its layer, its place in the layer. */
static uint64_t place_in_order(const struct grid *grid, const struct shape *shape,
                               const int32_t *at)
{
    int64_t inside[MOST_AXES], width[MOST_AXES];
    struct counter counter = {0};
    for (int axis = 0; axis < grid->ndims; axis++) {
        const int64_t length = grid->dims[axis], strips = shape->strips[axis];
        const int64_t strip = (at[axis] * strips + strips - 1) / length;
        inside[axis] = at[axis] - strip * length / strips;
        width[axis] = (strip + 1) * length / strips - strip * length / strips;
        append(&counter, strip, strips, strips);
    }
    const int64_t length = grid->dims[shape->along];
    append(&counter, at[shape->along], length, length);
    for (int axis = 0; axis < grid->ndims; axis++)
        if (axis != shape->along)
            append(&counter, inside[axis], width[axis], grid->dims[axis]);
    return counter.place;
}

static void offer_shape(struct contest *contest, const struct shape *shape, uint64_t *keys,
                        int32_t *order)
{
    const struct map_problem *problem = contest->problem;
    int32_t at[MAP_MOST_DIMS] = {0};
    for (int32_t rank = 0; rank < problem->ranks; rank++, next_cell(&problem->grid, at)) {
        keys[rank] = place_in_order(&problem->grid, shape, at);
        order[rank] = rank;
    }
    if (sort_by_key(keys, order, problem->ranks) == MAP_OK)
        offer_on_nodes(contest, order);
    else
        contest->status = MAP_NO_MEMORY;
}

void offer_strips(struct contest *contest)
{
    const struct map_problem *problem = contest->problem;
    const struct grid *grid = &problem->grid;
    if (grid->ndims < 2 || grid->ndims > MOST_AXES || problem->ranks == problem->nodes)
        return;
    const double cores = (double)problem->ranks / problem->nodes;
    struct shapes *shapes = array_of(1, sizeof *shapes);
    uint64_t *keys = array_of(problem->ranks, sizeof *keys);
    int32_t *order = contest_list(contest, problem->ranks);
    if (shapes && keys && order) {
        *shapes = (struct shapes){.problem = problem, .side = pow(cores, 1.0 / grid->ndims)};
        for (int along = 0; along < grid->ndims; along++)
            add_shapes(shapes, &(struct shape){.along = along}, 0);
        qsort(shapes->shape, (size_t)shapes->count, sizeof *shapes->shape, by_cut);
        for (int k = 0; k < shapes->count && contest_open(contest); k++)
            offer_shape(contest, &shapes->shape[k], keys, order);
    } else {
        contest->status = MAP_NO_MEMORY;
    }
    free(shapes);
    free(keys);
    free(order);
}
