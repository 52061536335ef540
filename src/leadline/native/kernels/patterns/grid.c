/**
 * Neighbours on a grid of all ranks exchange messages: what a decomposed domain does in each step.
 * All of them send at once, so that messages meet in the network. From M. Müller and M. Resch, "PE
 * mapping and the contention problem on the T3E" (1998).
 *
 * Who the neighbours are is found before the clock runs; all four patterns have one loop.
 */
#include "patterns/schedule.h"

_Static_assert(2 * MOST_DIRECTIONS <= TP_MOST_REQUESTS, "each leg takes two slots");

static struct schedule schedule; /* of the slice */

/* Each leg takes two slots: 2 k sends, 2 k + 1 receives. */
static void exchange(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    for (long i = first; i < last; i++) {
        const char *out = ring_at(&cell->out, i);
        char *in = ring_at(&cell->in, i);
        for (int phase = 0, k = 0; phase < schedule.phases; phase++) {
            const int begin = k, end = schedule.end[phase];
            for (; k < end; k++) {
                const struct leg *leg = &schedule.leg[k];
                tp_isend(out + leg->offset, bytes, leg->peer, leg->send_tag, 2 * k);
                tp_irecv(in + leg->offset, bytes, leg->peer, leg->its_tag, 2 * k + 1);
            }
            tp_waitall(2 * begin, 2 * (end - begin));
        }
    }
}

/* Whose contents a message has: each of a rank's, in each direction, has its own. */
static int owner_of(int rank, int direction)
{
    return rank * MOST_DIRECTIONS + direction;
}

static void fill(const struct cell *cell, long repetition)
{
    const size_t bytes = cell->size_bytes, offset = contents_of(cell, repetition);
    for (int k = 0; k < schedule.legs; k++) {
        const struct leg *leg = &schedule.leg[k];
        payload_fill(ring_at(&cell->out, repetition) + leg->offset, bytes,
                     owner_of(cell->rank, leg->direction), offset);
        payload_clear(ring_at(&cell->in, repetition) + leg->offset, bytes,
                      owner_of(leg->peer, leg->opposite), offset);
    }
}

static bool check(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    const size_t bytes = cell->size_bytes, offset = contents_of(cell, repetition);
    for (int k = 0; k < schedule.legs; k++) {
        const struct leg *leg = &schedule.leg[k];
        if (!payload_check(ring_at(&cell->in, repetition) + leg->offset, bytes,
                           owner_of(leg->peer, leg->opposite), offset, mismatch)) {
            mismatch->offset_bytes += leg->offset;
            return false;
        }
    }
    return true;
}

static void add_axis(const struct cell *cell, int axis, bool periodic)
{
    schedule_add(&schedule, cell, direction_down(&cell->dims, axis), periodic);
    schedule_add(&schedule, cell, direction_up(&cell->dims, axis), periodic);
}

static void begin_pair(const struct cell *cell)
{
    schedule_clear(&schedule);
    add_axis(cell, 0, false);
    schedule_end_phase(&schedule);
}

static void begin_cyclic(const struct cell *cell)
{
    const bool periodic = cell->chosen[OPTION_RINGS] == RINGS_PERIODIC;
    const int axes = cell->chosen[OPTION_AXES] == AXES_ALL ? cell->dims.axes : 1;
    schedule_clear(&schedule);
    for (int axis = 0; axis < axes; axis++)
        add_axis(cell, axis, periodic);
    schedule_end_phase(&schedule);
}

/* Every second vertex begins with its upper neighbour, who then begins with its lower one. */
static void begin_cyclic_two_step(const struct cell *cell)
{
    const bool periodic = cell->chosen[OPTION_RINGS] == RINGS_PERIODIC;
    const int down = direction_down(&cell->dims, 0), up = direction_up(&cell->dims, 0);
    const bool up_first = first_coordinate(cell) % 2 == 0;
    schedule_clear(&schedule);
    schedule_add(&schedule, cell, up_first ? up : down, periodic);
    schedule_end_phase(&schedule);
    schedule_add(&schedule, cell, up_first ? down : up, periodic);
    schedule_end_phase(&schedule);
}

/* A message along several axes goes with the last of them. */
static void begin_halo(const struct cell *cell)
{
    const bool periodic = cell->chosen[OPTION_EDGES] == EDGES_PERIODIC;
    const int axes = cell->dims.axes;
    const int most_steps = cell->chosen[OPTION_NEIGHBOURS] == NEIGHBOURS_CORNERS ? axes : 1;
    schedule_clear(&schedule);
    for (int axis = 0; axis < axes; axis++) {
        for (int direction = 0; direction < directions_on(&cell->dims); direction++)
            if (direction_last_axis(direction, axes) == axis &&
                direction_steps(direction, axes) <= most_steps)
                schedule_add(&schedule, cell, direction, periodic);
        if (cell->chosen[OPTION_STEPS] == STEPS_BY_AXIS)
            schedule_end_phase(&schedule);
    }
    schedule_end_phase(&schedule);
}

const struct pattern pattern_pair = {
    .name = "pair",
    .summary = "a message each way between the ranks of each pair, all pairs at once",
    .algorithm = tp_isend_algorithm,
    .in_pairs = true,
    .messages_per_repetition = 1,
    .granularity = 1,
    .keeps_input = true,
    .axes = 2,
    .reach = REACH_FIRST_AXIS,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_STREAMING,
    .begin = begin_pair,
    .run = exchange,
    .fill = fill,
    .check = check,
};

const struct pattern pattern_cyclic = {
    .name = "cyclic",
    .summary = "every rank's messages to its two neighbours along the first axis of a grid",
    .algorithm = tp_isend_algorithm,
    .options = 1u << OPTION_GRID | 1u << OPTION_RINGS | 1u << OPTION_AXES,
    .messages_per_repetition = 1,
    .granularity = 1,
    .keeps_input = true,
    .out_room = ROOM_PER_DIRECTION,
    .in_room = ROOM_PER_DIRECTION,
    .axes = 2,
    .reach = REACH_FIRST_AXIS,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_STREAMING,
    .begin = begin_cyclic,
    .run = exchange,
    .fill = fill,
    .check = check,
};

const struct pattern pattern_cyclic_two_step = {
    .name = "cyclic_two_step",
    .summary = "cyclic in two steps: with one neighbour, then with the other",
    .algorithm = tp_isend_algorithm,
    .options = 1u << OPTION_GRID | 1u << OPTION_RINGS,
    .messages_per_repetition = 1,
    .granularity = 1,
    .keeps_input = true,
    .out_room = ROOM_PER_DIRECTION,
    .in_room = ROOM_PER_DIRECTION,
    .axes = 2,
    .reach = REACH_FIRST_AXIS,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_STREAMING,
    .begin = begin_cyclic_two_step,
    .run = exchange,
    .fill = fill,
    .check = check,
};

const struct pattern pattern_halo = {
    .name = "halo",
    .summary = "every rank's messages to its neighbours along each axis of a grid, axis by axis",
    .algorithm = tp_isend_algorithm,
    .options =
        1u << OPTION_GRID | 1u << OPTION_EDGES | 1u << OPTION_NEIGHBOURS | 1u << OPTION_STEPS,
    .messages_per_repetition = 1,
    .granularity = 1,
    .keeps_input = true,
    .out_room = ROOM_PER_DIRECTION,
    .in_room = ROOM_PER_DIRECTION,
    .axes = 3,
    .reach = REACH_ALL_AXES,
    .whose_time = WHOSE_SLOWEST,
    .cadence = CADENCE_STREAMING,
    .begin = begin_halo,
    .run = exchange,
    .fill = fill,
    .check = check,
};
