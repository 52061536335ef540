#include "applications/mg/division.h"

static int log2_of(int number)
{
    int log = 0;
    while (number >> (log + 1))
        log++;
    return log;
}

/* As NPB 3.3 divides: 2 is 1 x 1 x 2, 4 is 1 x 2 x 2, 16 is 2 x 2 x 4. */
struct division division_of(int rank, int ranks)
{
    const int halvings = log2_of(ranks), along_x = halvings / 3, along_y = (halvings - along_x) / 2;
    const int along_z = halvings - along_x - along_y;
    return (struct division){{1 << along_x, 1 << along_y, 1 << along_z}, rank};
}

int division_level(const struct division *division)
{
    return log2_of(division->ranks[AXES - 1]);
}

bool division_fits(int ranks, int levels)
{
    if (ranks < 1 || ranks > MOST_RANKS || ranks & (ranks - 1))
        return false;
    const struct division division = division_of(0, ranks);
    return levels > division_level(&division);
}

static int stride_of(const struct division *division, int axis)
{
    int stride = 1;
    for (int before = 0; before < axis; before++)
        stride *= division->ranks[before];
    return stride;
}

int division_place(const struct division *division, int rank, int axis)
{
    return rank / stride_of(division, axis) % division->ranks[axis];
}

int division_neighbour(const struct division *division, int axis, int steps)
{
    const int place = division_place(division, division->rank, axis);
    const int there = (place + steps + division->ranks[axis]) % division->ranks[axis];
    return division->rank + (there - place) * stride_of(division, axis);
}

struct box division_box(const struct division *division, int level)
{
    struct box box;
    for (int axis = 0; axis < AXES; axis++)
        box.points[axis] = ((size_t)1 << level) / (size_t)division->ranks[axis];
    return box;
}
