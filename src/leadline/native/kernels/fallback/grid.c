/** The grid of neighbour collectives: the same over every backend. */
#include "transport/transport.h"

/* The largest divisor of `ranks` that isn't above its square root. */
static int shorter_side(int ranks)
{
    int side = 1;
    for (int i = 2; i * i <= ranks; i++)
        if (ranks % i == 0)
            side = i;
    return side;
}

static struct tp_grid grid_of(int ranks, int rank)
{
    const int columns = shorter_side(ranks), rows = ranks / columns;
    if (columns == 1)
        return (struct tp_grid){1, {ranks, 1}, {(rank - 1 + ranks) % ranks, (rank + 1) % ranks}};
    const int row = rank / columns, column = rank % columns;
    return (struct tp_grid){
        .dimensions = 2,
        .extents = {rows, columns},
        .neighbour = {(row - 1 + rows) % rows * columns + column,
                      (row + 1) % rows * columns + column,
                      row * columns + (column - 1 + columns) % columns,
                      row * columns + (column + 1) % columns},
    };
}

const struct tp_grid *tp_grid(void)
{
    static struct tp_grid grid;
    if (grid.dimensions == 0)
        grid = grid_of(tp_size(), tp_rank());
    return &grid;
}
