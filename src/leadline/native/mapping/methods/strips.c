/**
 * Strips: bars along one axis, nearly as wide as a cube of a node's size, filled one after the
 * other, up and down in turn (Hunold and others 2020, there for one width).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/methods.h"
#include "problem/array.h"
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

/** Cells in the order of a number of mixed radix: the strip, the layer in it, the place in that. */
struct winding {
    const struct grid *grid;
    const struct shape *shape;
    int32_t strides[MOST_AXES], width[MOST_AXES]; /**< width of the strip, along each axis */
    int32_t *order;
    int32_t count;
};

/** The axis of a digit inside a layer: all but the one along which layers follow each other. */
static int axis_inside(const struct winding *winding, int digit)
{
    const int axis = digit - winding->grid->ndims - 1;
    return axis < winding->shape->along ? axis : axis + 1;
}

/**
 * Appends all cells whose higher digits are chosen, `first` being the lowest of them. Each digit is
 * counted up and down in turn, so that neighbours stay neighbours: `odd` says how many numbers came
 * before under the same higher digits.
 */
static void wind(struct winding *winding, int digit, bool odd, int32_t first)
{
    const struct grid *grid = winding->grid;
    const bool across = digit < grid->ndims, last = digit == 2 * grid->ndims - 1;
    const int axis = across                ? digit
                     : digit > grid->ndims ? axis_inside(winding, digit)
                                           : winding->shape->along;
    const int64_t length = grid->dims[axis], strips = winding->shape->strips[axis];
    const int32_t radix = across                ? (int32_t)strips
                          : digit > grid->ndims ? winding->width[axis]
                                                : (int32_t)length;
    for (int32_t turned = 0; turned < radix; turned++) {
        const int32_t value = odd ? radix - 1 - turned : turned;
        const int64_t low = across ? value * length / strips : value;
        const int32_t at = first + (int32_t)low * winding->strides[axis];
        if (across)
            winding->width[axis] = (int32_t)((value + 1) * length / strips - low);
        if (last)
            winding->order[winding->count++] = at;
        else
            wind(winding, digit + 1, ((odd && radix % 2) + turned) % 2, at);
    }
}

static void offer_shape(struct contest *contest, const struct shape *shape, int32_t *order)
{
    const struct grid *grid = &contest->problem->grid;
    struct winding winding = {.grid = grid, .shape = shape, .order = order};
    for (int axis = grid->ndims - 1, stride = 1; axis >= 0; stride *= grid->dims[axis--])
        winding.strides[axis] = stride;
    wind(&winding, 0, false, 0);
    offer_on_nodes(contest, order);
}

void offer_strips(struct contest *contest)
{
    const struct map_problem *problem = contest->problem;
    const struct grid *grid = &problem->grid;
    if (grid->ndims < 2 || grid->ndims > MOST_AXES || problem->ranks == problem->nodes)
        return;
    const double cores = (double)problem->ranks / problem->nodes;
    struct shapes *shapes = array_of(1, sizeof *shapes);
    int32_t *order = contest_list(contest, problem->ranks);
    if (shapes && order) {
        *shapes = (struct shapes){.problem = problem, .side = pow(cores, 1.0 / grid->ndims)};
        for (int along = 0; along < grid->ndims; along++)
            add_shapes(shapes, &(struct shape){.along = along}, 0);
        qsort(shapes->shape, (size_t)shapes->count, sizeof *shapes->shape, by_cut);
        for (int k = 0; k < shapes->count && contest_open(contest); k++)
            offer_shape(contest, &shapes->shape[k], order);
    } else {
        contest->status = MAP_NO_MEMORY;
    }
    free(shapes);
    free(order);
}
