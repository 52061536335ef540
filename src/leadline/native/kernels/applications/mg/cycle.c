#include "applications/mg/cycle.h"

#include <string.h>

#include "applications/mg/multigrid.h"
#include "applications/mg/stencil.h"
#include "applications/mg/transfer.h"

/* -- ghosts ------------------------------------------------------------------------------------ */

/* From this rank's other end along undivided axes, then from neighbours, axis by axis. */

/** Fills the ghosts of `field`, one of `level`. */
typedef void exchange(struct multigrid *grids, const struct level *level, double *field);

enum { TAG_DOWN = 1, TAG_UP };

static uint64_t turn; /* exchanges so far, the same on all ranks; flags never have an old one */

/** What goes on along one axis. */
struct crossing {
    struct multigrid *grids;
    const struct box *box;
    int axis;
    uint64_t turn;
    size_t bytes;
    int peer[ENDS];
};

static inline size_t place_of(const struct crossing *crossing, enum end end)
{
    const struct faces *faces = &crossing->grids->faces;
    const size_t number = crossing->turn % TURNS * ENDS + end;
    return faces->start[crossing->axis] + number * faces->size[crossing->axis];
}

static inline double *out_of(const struct crossing *crossing, enum end end)
{
    return crossing->grids->faces.out + place_of(crossing, end);
}

static inline double *in_at(const struct crossing *crossing, enum end end)
{
    return crossing->grids->faces.in + place_of(crossing, end);
}

static inline uint64_t *flag_at(const struct crossing *crossing, enum end end)
{
    const int turn = (int)(crossing->turn % TURNS);
    return word_at(crossing->grids->cell, (crossing->axis * TURNS + turn) * ENDS + (int)end);
}

static bool is_divided(const struct multigrid *grids, const struct level *level, int axis)
{
    return level->divided && grids->division.ranks[axis] > 1;
}

static void pass_messages(const struct crossing *crossing)
{
    const size_t bytes = crossing->bytes;
    const int lower = crossing->peer[LOWER], upper = crossing->peer[UPPER];
    tp_irecv(in_at(crossing, LOWER), bytes, lower, TAG_UP, 0);
    tp_irecv(in_at(crossing, UPPER), bytes, upper, TAG_DOWN, 1);
    tp_isend(out_of(crossing, LOWER), bytes, lower, TAG_DOWN, 2);
    tp_isend(out_of(crossing, UPPER), bytes, upper, TAG_UP, 3);
    tp_waitall(0, 4);
}

/* The face at an end lands at the neighbour's other end. A source isn't written again before its
   place is put to again, when it has long been read. */
static void pass_puts(const struct crossing *crossing)
{
    const size_t bytes = crossing->bytes;
    tp_put_flag(in_at(crossing, UPPER), out_of(crossing, LOWER), bytes, flag_at(crossing, UPPER),
                turn, crossing->peer[LOWER]);
    tp_put_flag(in_at(crossing, LOWER), out_of(crossing, UPPER), bytes, flag_at(crossing, LOWER),
                turn, crossing->peer[UPPER]);
    tp_wait_until(flag_at(crossing, LOWER), turn);
    tp_wait_until(flag_at(crossing, UPPER), turn);
}

typedef void pass(const struct crossing *crossing);

INLINED void cross(const struct crossing *crossing, double *field, pass *pass)
{
    const struct box *box = crossing->box;
    const int axis = crossing->axis;
    const size_t last = box->points[axis];
    face_pack(box, axis, 1, field, out_of(crossing, LOWER));
    face_pack(box, axis, last, field, out_of(crossing, UPPER));
    worked(crossing->grids->cell, 0, 4 * crossing->bytes);
    const int64_t began = spent_begin();
    pass(crossing);
    spent_end(crossing->grids->cell, began);
    face_unpack(box, axis, 0, in_at(crossing, LOWER), field);
    face_unpack(box, axis, last + 1, in_at(crossing, UPPER), field);
    worked(crossing->grids->cell, 0, 4 * crossing->bytes);
}

static struct crossing crossing_of(struct multigrid *grids, const struct box *box, int axis)
{
    return (struct crossing){
        .grids = grids,
        .box = box,
        .axis = axis,
        .turn = turn,
        .bytes = face_size(box, axis) * sizeof(double),
        .peer = {division_neighbour(&grids->division, axis, -1),
                 division_neighbour(&grids->division, axis, 1)},
    };
}

INLINED void fill_ghosts(struct multigrid *grids, const struct level *level, double *field,
                         pass *pass)
{
    turn += level->divided;
    for (int axis = 0; axis < AXES; axis++) {
        if (!is_divided(grids, level, axis)) {
            face_wrap(&level->box, axis, field);
            continue;
        }
        const struct crossing crossing = crossing_of(grids, &level->box, axis);
        cross(&crossing, field, pass);
    }
}

/** By messages that are under way together along each axis. */
static void exchange_by_messages(struct multigrid *grids, const struct level *level, double *field)
{
    fill_ghosts(grids, level, field, pass_messages);
}

/**
 * By puts with flags. A face lands in one of two places in turn, each with its flag: who has the
 * neighbour's flag of this turn knows that it has taken in the face of the turn before, whose place
 * is then put to in the next.
 */
static void exchange_by_puts(struct multigrid *grids, const struct level *level, double *field)
{
    fill_ghosts(grids, level, field, pass_puts);
}

/* -- gathering --------------------------------------------------------------------------------- */

/* The coarsest divided grid, gathered on every rank and cut into boxes again. */

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

/* r of that grid, on every rank, from r of all parts; without ghosts. Collective. */
static void gathering_collect(struct multigrid *grids)
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

/* u of the part with its ghosts, from u of the grid with its own. */
static void gathering_cut(struct multigrid *grids)
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

/* -- the cycle --------------------------------------------------------------------------------- */

/** Fields that an operator reads and writes at each point, 8 bytes each. */
enum { RESIDUAL_TOUCHES = 3, CORRECT_TOUCHES = 2, PROLONGATE_TOUCHES = 1, RESTRICT_TOUCHES = 1 };

static inline void touched(const struct multigrid *grids, const struct level *level, size_t flop,
                           size_t touches)
{
    const size_t points = box_points(&level->box);
    worked(grids->cell, flop * points, touches * points * sizeof(double));
}

/* r on the next coarser grid, from r on grid `k`. */
INLINED void go_down(struct multigrid *grids, int k, exchange *fill_ghosts)
{
    const struct level *fine = &grids->level[k], *coarse = level_below(grids, k);
    transfer_restrict(&coarse->box, fine->r, coarse->r);
    touched(grids, coarse, RESTRICT_FLOP, RESTRICT_TOUCHES);
    touched(grids, fine, 0, RESTRICT_TOUCHES);
    if (coarse == &grids->part) {
        gathering_collect(grids);
        coarse = &grids->level[grids->gathered];
    }
    fill_ghosts(grids, coarse, coarse->r);
}

INLINED void smooth(struct multigrid *grids, const struct level *level, exchange *fill_ghosts)
{
    stencil_smooth(&level->box, level->r, grids->class->smoother, level->u);
    touched(grids, level, SMOOTH_FLOP, RESIDUAL_TOUCHES);
    fill_ghosts(grids, level, level->u);
}

INLINED void solve_coarsest(struct multigrid *grids, exchange *fill_ghosts)
{
    const struct level *coarsest = &grids->level[1];
    memset(coarsest->u, 0, box_size(&coarsest->box) * sizeof *coarsest->u);
    smooth(grids, coarsest, fill_ghosts);
}

/* u of the next coarser grid, as the rank needs it on grid `k`. */
INLINED const struct level *coarse_for(struct multigrid *grids, int k)
{
    if (k - 1 == grids->gathered)
        gathering_cut(grids);
    return level_below(grids, k);
}

/* u on grid `k`, from u on the next coarser one. */
INLINED void go_up(struct multigrid *grids, int k, exchange *fill_ghosts)
{
    const struct level *coarse = coarse_for(grids, k), *level = &grids->level[k];
    transfer_prolongate(&coarse->box, coarse->u, level->u);
    touched(grids, level, PROLONGATE_FLOP, PROLONGATE_TOUCHES);
    stencil_subtract(&level->box, level->u, level->r);
    touched(grids, level, RESIDUAL_FLOP, RESIDUAL_TOUCHES);
    fill_ghosts(grids, level, level->r);
    smooth(grids, level, fill_ghosts);
}

INLINED void find_residual(struct multigrid *grids, const struct level *top, exchange *fill_ghosts)
{
    stencil_residual(&top->box, top->u, grids->v, top->r);
    touched(grids, top, RESIDUAL_FLOP, RESIDUAL_TOUCHES);
    fill_ghosts(grids, top, top->r);
}

INLINED void correct_top(struct multigrid *grids, exchange *fill_ghosts)
{
    const struct level *coarse = coarse_for(grids, grids->class->levels);
    const struct level *top = finest_of(grids);
    transfer_correct(&coarse->box, coarse->u, top->u);
    touched(grids, top, CORRECT_FLOP, CORRECT_TOUCHES);
    find_residual(grids, top, fill_ghosts);
    smooth(grids, top, fill_ghosts);
}

INLINED void iterate(struct multigrid *grids, exchange *fill_ghosts)
{
    const int finest = grids->class->levels;
    for (int k = finest; k > 1; k--)
        go_down(grids, k, fill_ghosts);
    solve_coarsest(grids, fill_ghosts);
    for (int k = 2; k < finest; k++)
        go_up(grids, k, fill_ghosts);
    correct_top(grids, fill_ghosts);
    find_residual(grids, finest_of(grids), fill_ghosts);
}

void cycle_by_messages(struct multigrid *grids)
{
    iterate(grids, exchange_by_messages);
}

void cycle_by_puts(struct multigrid *grids)
{
    iterate(grids, exchange_by_puts);
}
