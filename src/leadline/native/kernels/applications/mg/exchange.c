#include "applications/mg/exchange.h"

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

void exchange_by_messages(struct multigrid *grids, const struct level *level, double *field)
{
    fill_ghosts(grids, level, field, pass_messages);
}

void exchange_by_puts(struct multigrid *grids, const struct level *level, double *field)
{
    fill_ghosts(grids, level, field, pass_puts);
}
