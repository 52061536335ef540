#include "patterns/schedule.h"

enum { TAG = 15, NOBODY = -1 }; /* below the tags of fallbacks and of the tool itself */

void schedule_clear(struct schedule *schedule)
{
    schedule->phases = schedule->legs = 0;
}

int directions_on(const struct dims *dims)
{
    int count = 1;
    for (int axis = 0; axis < dims->axes; axis++)
        count *= 3;
    return count;
}

static int power_of(int axis, int axes)
{
    int power = 1;
    for (int i = axis + 1; i < axes; i++)
        power *= 3;
    return power;
}

int direction_down(const struct dims *dims, int axis)
{
    return directions_on(dims) / 2 - power_of(axis, dims->axes);
}

int direction_up(const struct dims *dims, int axis)
{
    return directions_on(dims) / 2 + power_of(axis, dims->axes);
}

int direction_steps(int direction, int axes)
{
    int steps = 0;
    for (int axis = 0; axis < axes; axis++, direction /= 3)
        steps += direction % 3 != 1;
    return steps;
}

int direction_last_axis(int direction, int axes)
{
    int axis = axes - 1;
    while (axis >= 0 && direction % 3 == 1) {
        direction /= 3;
        axis--;
    }
    return axis;
}

/* The vertex that lies one step from `vertex`, row by row, the last axis fastest. */
static int beside(const struct dims *dims, int vertex, int direction, bool periodic)
{
    int found = 0, stride = 1;
    for (int axis = dims->axes - 1; axis >= 0; axis--) {
        const int length = dims->lengths[axis], step = direction % 3 - 1;
        const int place = vertex % length + step;
        if (step != 0 && (length == 1 || (!periodic && (place < 0 || place == length))))
            return NOBODY;
        found += (place + length) % length * stride;
        stride *= length;
        vertex /= length;
        direction /= 3;
    }
    return found;
}

void schedule_add(struct schedule *schedule, const struct cell *cell, int direction, bool periodic)
{
    const int vertex = beside(&cell->dims, vertex_of(cell), direction, periodic);
    const int opposite = directions_on(&cell->dims) - 1 - direction;
    if (vertex == NOBODY)
        return;
    schedule->leg[schedule->legs] = (struct leg){
        .peer = rank_at(cell, vertex),
        .direction = direction,
        .opposite = opposite,
        .send_tag = TAG + direction,
        .its_tag = TAG + opposite,
        .offset = (size_t)schedule->legs * cell->size_bytes,
    };
    schedule->legs++;
}

void schedule_end_phase(struct schedule *schedule)
{
    const int before = schedule->phases > 0 ? schedule->end[schedule->phases - 1] : 0;
    if (schedule->legs > before)
        schedule->end[schedule->phases++] = schedule->legs;
}

int first_coordinate(const struct cell *cell)
{
    return vertex_of(cell) / (cell->ranks / cell->dims.lengths[0]);
}
