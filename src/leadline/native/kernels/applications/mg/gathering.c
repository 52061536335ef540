#include "applications/mg/gathering.h"

#include <string.h>

/* Copies the rows of a box, `count` numbers each, from `source` to `target`: each has its own place
   of the first number, and strides. */
struct rows {
    size_t start, row, plane;
};

static void copy_rows(const size_t counts[AXES], double *target, struct rows to,
                      const double *source, struct rows from)
{
    for (size_t z = 0; z < counts[2]; z++)
        for (size_t y = 0; y < counts[1]; y++)
            memcpy(target + to.start + z * to.plane + y * to.row,
                   source + from.start + z * from.plane + y * from.row, counts[0] * sizeof *target);
}

/* Points from `first` on, which are ghosts where it is 0. */
static struct rows rows_of(const struct box *box, const size_t first[AXES])
{
    return (struct rows){
        box_at(box, first[1], first[2]) + first[0],
        box_row(box),
        box_plane(box),
    };
}

static struct rows packed(const struct box *box)
{
    return (struct rows){0, box->points[0], box->points[0] * box->points[1]};
}

static void place_block(struct multigrid *grids, int rank)
{
    const struct box *box = &grids->part.box;
    const struct level *whole = &grids->level[grids->gathered];
    size_t first[AXES];
    for (int axis = 0; axis < AXES; axis++)
        first[axis] = 1 + box->points[axis] * (size_t)division_place(&grids->division, rank, axis);
    copy_rows(box->points, whole->r, rows_of(&whole->box, first),
              grids->blocks + (size_t)rank * box_points(box), packed(box));
}

static int ranks_of(const struct division *division)
{
    return division->ranks[0] * division->ranks[1] * division->ranks[2];
}

void gathering_collect(struct multigrid *grids)
{
    const struct box *box = &grids->part.box;
    const size_t bytes = box_points(box) * sizeof(double), first[AXES] = {1, 1, 1};
    copy_rows(box->points, grids->gathering, packed(box), grids->part.r, rows_of(box, first));
    const int64_t began = spent_begin();
    tp_allgather(grids->gathering, grids->blocks, bytes);
    spent_end(grids->cell, began);
    for (int rank = 0; rank < ranks_of(&grids->division); rank++)
        place_block(grids, rank);
}

void gathering_cut(struct multigrid *grids)
{
    const struct division *division = &grids->division;
    const struct box *box = &grids->part.box;
    const struct level *whole = &grids->level[grids->gathered];
    size_t first[AXES], counts[AXES];
    for (int axis = 0; axis < AXES; axis++) {
        first[axis] = box->points[axis] * (size_t)division_place(division, division->rank, axis);
        counts[axis] = box->points[axis] + 2;
    }
    const size_t from_ghosts[AXES] = {0, 0, 0};
    copy_rows(counts, grids->part.u, rows_of(box, from_ghosts), whole->u,
              rows_of(&whole->box, first));
}
