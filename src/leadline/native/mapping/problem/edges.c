#include "problem/edges.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "problem/array.h"

/* -- of a grid --------------------------------------------------------------------------------- */

/* One arm of the stencil after the other, rank by rank. */

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

/* -- of any graph ------------------------------------------------------------------------------ */

/* A directed graph is made symmetric: rows with both directions of every pair. */

static int check(const struct map_pattern *pattern)
{
    const int64_t ranks = pattern->ranks;
    if (pattern->starts[0] != 0)
        return MAP_BAD_GRAPH;
    for (int64_t rank = 0; rank < ranks; rank++)
        if (pattern->starts[rank + 1] < pattern->starts[rank])
            return MAP_BAD_GRAPH;
    if (pattern->starts[ranks] > INT32_MAX / 2)
        return MAP_TOO_LARGE;
    for (int64_t edge = 0; edge < pattern->starts[ranks]; edge++) {
        if (pattern->neighbours[edge] < 0 || pattern->neighbours[edge] >= ranks)
            return MAP_BAD_GRAPH;
        if (!isfinite(pattern->edge_weights[edge]) || pattern->edge_weights[edge] < 0)
            return MAP_BAD_WEIGHT;
    }
    return MAP_OK;
}

/** Every edge between two ranks that weighs anything, once in each direction. */
struct arcs {
    uint64_t *pairs; /**< row, neighbour */
    int32_t *given;  /**< 2 edge, +1 in the row of the one that receives */
    int64_t count;
};

static void add_arc(struct arcs *arcs, int64_t row, int64_t neighbour, int64_t given)
{
    arcs->pairs[arcs->count] = (uint64_t)row << 32 | (uint64_t)neighbour;
    arcs->given[arcs->count++] = (int32_t)given;
}

static int collect(const struct map_pattern *pattern, struct arcs *arcs)
{
    for (int64_t rank = 0; rank < pattern->ranks; rank++) {
        for (int64_t edge = pattern->starts[rank]; edge < pattern->starts[rank + 1]; edge++) {
            const int64_t neighbour = pattern->neighbours[edge];
            if (neighbour == rank || pattern->edge_weights[edge] == 0)
                continue;
            add_arc(arcs, rank, neighbour, 2 * edge);
            add_arc(arcs, neighbour, rank, 2 * edge + 1);
        }
    }
    return sort_by_key(arcs->pairs, arcs->given, arcs->count);
}

/** One entry for all arcs of a pair; their weights add up, and must not to infinity. */
static int merge(const struct map_pattern *pattern, const struct arcs *arcs, struct edges *edges)
{
    int64_t count = 0, row = 0;
    edges->starts[0] = 0;
    for (int64_t i = 0; i < arcs->count; i++) {
        const double weight = pattern->edge_weights[arcs->given[i] / 2];
        if (i == 0 || arcs->pairs[i] != arcs->pairs[i - 1]) {
            while (row < (int64_t)(arcs->pairs[i] >> 32))
                edges->starts[++row] = count;
            edges->neighbours[count] = (int32_t)(arcs->pairs[i] & UINT32_MAX);
            edges->out[count] = edges->both[count] = 0;
            count++;
        }
        edges->both[count - 1] += weight;
        if (arcs->given[i] % 2 == 0)
            edges->out[count - 1] += weight;
    }
    while (row < pattern->ranks)
        edges->starts[++row] = count;
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(edges->both[i]))
            return MAP_BAD_WEIGHT;
    return MAP_OK;
}

static int build(const struct map_pattern *pattern, struct arcs *arcs, struct edges *edges)
{
    const int64_t most = 2 * pattern->starts[pattern->ranks];
    edges->starts = array_of(pattern->ranks + 1, sizeof *edges->starts);
    edges->neighbours = array_of(most, sizeof *edges->neighbours);
    edges->out = array_of(most, sizeof *edges->out);
    edges->both = array_of(most, sizeof *edges->both);
    arcs->pairs = array_of(most, sizeof *arcs->pairs);
    arcs->given = array_of(most, sizeof *arcs->given);
    if (!edges->starts || !edges->neighbours || !edges->out || !edges->both || !arcs->pairs ||
        !arcs->given)
        return MAP_NO_MEMORY;
    const int status = collect(pattern, arcs);
    return status == MAP_OK ? merge(pattern, arcs, edges) : status;
}

int edges_of_graph(const struct map_pattern *pattern, struct edges *edges)
{
    struct arcs arcs = {0};
    int status = check(pattern);
    if (status == MAP_OK)
        status = build(pattern, &arcs, edges);
    free(arcs.pairs);
    free(arcs.given);
    return status;
}
