/* One arm of the stencil after the other, rank by rank. */
#include "problem/stencil.h"

#include <math.h>
#include <stdlib.h>

#include "problem/array.h"

/** One neighbour relative to a rank: a step of -1 or 1 along some axes. */
struct arm {
    int axes;
    int8_t axis[MAP_MOST_DIMS], step[MAP_MOST_DIMS];
    double out, both;
};

struct stencil {
    int64_t arms;
    struct arm *arm;
    bool uniform; /**< all arms weigh 1 out, 2 both */
};

/** The arm whose steps are the digits of `code` to the base 3 (1: down, 2: up). */
static struct arm arm_of(const struct grid *grid, int64_t code)
{
    struct arm arm = {.out = 1};
    double back = 1;
    for (int axis = 0; code; axis++, code /= 3) {
        const int digit = (int)(code % 3);
        if (digit == 0)
            continue;
        arm.axis[arm.axes] = (int8_t)axis;
        arm.step[arm.axes++] = (int8_t)(2 * digit - 3);
        arm.out *= grid->weights[2 * axis + digit - 1];
        back *= grid->weights[2 * axis + 2 - digit];
    }
    arm.both = arm.out + back;
    return arm;
}

static bool steps_somewhere(const struct grid *grid, const struct arm *arm)
{
    for (int k = 0; k < arm->axes; k++)
        if (grid->dims[arm->axis[k]] == 1)
            return false;
    return arm->axes > 0 && arm->both > 0;
}

static int stencil_add(struct stencil *stencil, const struct grid *grid, int64_t code)
{
    const struct arm arm = arm_of(grid, code);
    if (!isfinite(arm.both))
        return MAP_BAD_WEIGHT;
    if (!steps_somewhere(grid, &arm))
        return MAP_OK;
    stencil->uniform = stencil->uniform && arm.out == 1 && arm.both == 2;
    stencil->arm[stencil->arms++] = arm;
    return MAP_OK;
}

static int stencil_make(const struct grid *grid, struct stencil *stencil)
{
    int64_t codes = 1;
    for (int axis = 0; axis < grid->ndims && grid->diagonals; axis++)
        if ((codes *= 3) > INT32_MAX)
            return MAP_TOO_LARGE;
    const int64_t most = grid->diagonals ? codes : 2 * (int64_t)grid->ndims;
    *stencil = (struct stencil){.arm = array_of(most, sizeof *stencil->arm), .uniform = true};
    if (!stencil->arm)
        return MAP_NO_MEMORY;
    int status = MAP_OK;
    for (int64_t code = 1; code < codes && status == MAP_OK; code++)
        status = stencil_add(stencil, grid, code);
    int64_t unit = 1;
    for (int k = 0; k < most && !grid->diagonals && status == MAP_OK; k++) {
        status = stencil_add(stencil, grid, (1 + k % 2) * unit);
        unit *= k % 2 ? 3 : 1;
    }
    return status;
}

/** The rank where `arm` leads from `rank` at `at`; -1: beyond an open end. */
static int32_t arm_end(const struct grid *grid, const struct arm *arm, int32_t rank,
                       const int32_t *at, const int32_t *strides)
{
    for (int k = 0; k < arm->axes; k++) {
        const int axis = arm->axis[k];
        const int32_t length = grid->dims[axis], to = at[axis] + arm->step[k];
        if (to >= 0 && to < length)
            rank += arm->step[k] * strides[axis];
        else if (grid->periodic[axis])
            rank -= arm->step[k] * strides[axis] * (length - 1);
        else
            return -1;
    }
    return rank;
}

/** Where rows are filled. */
struct filling {
    const struct grid *grid;
    const struct stencil *stencil;
    int32_t strides[MAP_MOST_DIMS];
    struct edges *edges;
    int64_t count;
};

/** The row of `rank` at `at`. */
static void fill_rank(struct filling *filling, int32_t rank, const int32_t *at)
{
    const struct stencil *stencil = filling->stencil;
    struct edges *edges = filling->edges;
    edges->starts[rank] = filling->count;
    for (const struct arm *arm = stencil->arm; arm < stencil->arm + stencil->arms; arm++) {
        const int32_t neighbour = arm_end(filling->grid, arm, rank, at, filling->strides);
        if (neighbour < 0)
            continue;
        if (edges->out) {
            edges->out[filling->count] = arm->out;
            edges->both[filling->count] = arm->both;
        }
        edges->neighbours[filling->count++] = neighbour;
    }
}

/** The row of `rank`, which reaches in all directions as far as the rank before it does. */
static void fill_alike(struct filling *filling, int32_t rank)
{
    struct edges *edges = filling->edges;
    const int64_t before = edges->starts[rank - 1], arms = filling->count - before;
    edges->starts[rank] = filling->count;
    for (int64_t e = before; e < before + arms; e++) {
        if (edges->out) {
            edges->out[e + arms] = edges->out[e];
            edges->both[e + arms] = edges->both[e];
        }
        edges->neighbours[e + arms] = edges->neighbours[e] + 1;
    }
    filling->count += arms;
}

static void fill(const struct grid *grid, const struct stencil *stencil, int32_t ranks,
                 struct edges *edges)
{
    struct filling filling = {.grid = grid, .stencil = stencil, .edges = edges};
    const int last = grid->ndims - 1;
    int32_t at[MAP_MOST_DIMS] = {0};
    for (int axis = last, stride = 1; axis >= 0; stride *= grid->dims[axis--])
        filling.strides[axis] = stride;
    for (int32_t rank = 0; rank < ranks; rank++, next_cell(grid, at)) {
        if (at[last] > 1 && at[last] < grid->dims[last] - 1)
            fill_alike(&filling, rank);
        else
            fill_rank(&filling, rank, at);
    }
    edges->starts[ranks] = filling.count;
}

int edges_of_grid(const struct grid *grid, int32_t ranks, struct edges *edges)
{
    struct stencil stencil = {0};
    int status = stencil_make(grid, &stencil);
    const int64_t most = stencil.arms * ranks;
    if (status == MAP_OK && (stencil.arms > INT32_MAX || most > INT32_MAX))
        status = MAP_TOO_LARGE;
    if (status == MAP_OK) {
        edges->starts = array_of(ranks + (int64_t)1, sizeof *edges->starts);
        edges->neighbours = array_of(most, sizeof *edges->neighbours);
        edges->out = stencil.uniform ? NULL : array_of(most, sizeof *edges->out);
        edges->both = stencil.uniform ? NULL : array_of(most, sizeof *edges->both);
        const bool room =
            edges->starts && edges->neighbours && (stencil.uniform || (edges->out && edges->both));
        status = room ? MAP_OK : MAP_NO_MEMORY;
    }
    if (status == MAP_OK)
        fill(grid, &stencil, ranks, edges);
    free(stencil.arm);
    return status;
}
