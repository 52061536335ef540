/**
 * Collectives among neighbours on a grid. Each operation is an archive member of its own, as
 * absent.c explains.
 */
#include "transport/transport.h"

/* The grid of neighbour collectives: the same over every backend. */
#ifdef GROUP_grid
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
#endif

/* All ranks send one way, then the other, in one dimension after the other. */
#ifdef GROUP_neighbor_allgather
enum { TAG = 32748 };

const char tp_neighbor_allgather_algorithm[] = "shifts";

void tp_neighbor_allgather(const void *from, void *to, size_t bytes)
{
    const struct tp_grid *grid = tp_grid();
    char *blocks = to;
    for (int i = 0; i < 2 * grid->dimensions; i++) {
        const int opposite = i ^ 1;
        tp_sendrecv(from, bytes, grid->neighbour[i], blocks + (size_t)opposite * bytes, bytes,
                    grid->neighbour[opposite], TAG);
    }
}
#endif

/* The same, to each neighbour a block of its own. */
#ifdef GROUP_neighbor_alltoall
enum { TAG = 32747 };

const char tp_neighbor_alltoall_algorithm[] = "shifts";

void tp_neighbor_alltoall(const void *from, void *to, size_t bytes)
{
    const struct tp_grid *grid = tp_grid();
    const char *blocks_out = from;
    char *blocks_in = to;
    for (int i = 0; i < 2 * grid->dimensions; i++) {
        const int opposite = i ^ 1;
        tp_sendrecv(blocks_out + (size_t)i * bytes, bytes, grid->neighbour[i],
                    blocks_in + (size_t)opposite * bytes, bytes, grid->neighbour[opposite], TAG);
    }
}
#endif
