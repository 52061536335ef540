/**
 * Prints what is prepared for a slice over null: `prepared TURNS "params of the slice"`, first the
 * roots of repetitions 0 .. TURNS - 1, then the bytes of all ranks' shares, then iterations and
 * parts of the work for each word of OPTION_OVERLAP, then axes and lengths of the grid and the
 * depth, a line each; or why the slice is refused.
 */
#include <stdio.h>
#include <stdlib.h>

#include "engine/prepare/cell.h"
#include "engine/prepare/work.h"

int main(int argc, char **argv)
{
    struct params params;
    char wrong[256];
    tp_init(&argc, &argv);
    if (argc != 3 || !params_parse(argv[2], &params, wrong, sizeof wrong))
        return EXIT_FAILURE;
    struct cell cell;
    const char *reason = cell_prepare(&params, tp_size(), &cell);
    if (reason) {
        puts(reason);
        return EXIT_SUCCESS;
    }
    for (long i = 0; i < atol(argv[1]); i++)
        printf("%d ", root_at(&cell, i));
    puts("");
    for (int rank = 0; cell.shares.bytes && rank < cell.ranks; rank++)
        printf("%zu ", cell.shares.bytes[rank]);
    puts("");
    for (int word = OVERLAP_NONE; word <= OVERLAP_COMPUTING; word++) {
        cell.chosen[OPTION_OVERLAP] = word;
        work_arrange(&params, &cell, cell.ranks);
        printf("%ld %d ", cell.work.iterations, cell.work.parts);
    }
    puts("");
    printf("%d ", cell.dims.axes);
    for (int axis = 0; axis < MOST_AXES; axis++)
        printf("%d ", cell.dims.lengths[axis]);
    printf("%d\n", (int)cell.numbers[OPTION_DEPTH]);
    return EXIT_SUCCESS;
}
