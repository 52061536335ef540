/**
 * Prints what the ranks of a grid send and receive: `grid "params of the slice" SLOTS`, where SLOTS
 * are the ranks of the vertices, "2,0,1", or "" for the identity; for each rank in turn a line
 * "rank R", then what logged.c prints of one repetition. Or why the slice is refused.
 */
#include <stdio.h>
#include <stdlib.h>

#include "engine/prepare/cell.h"

static int *numbers(int count)
{
    int *made = calloc((size_t)count, sizeof *made);
    if (!made)
        abort();
    return made;
}

/* False: the identity. */
static bool read_slots(char *text, int *rank_at, int *vertex_of)
{
    for (int vertex = 0; *text; vertex++) {
        rank_at[vertex] = (int)strtol(text, &text, 10);
        vertex_of[rank_at[vertex]] = vertex;
        if (*text == '\0')
            return true;
        text++;
    }
    return false;
}

int main(int argc, char **argv)
{
    struct params params;
    struct cell cell;
    char wrong[256];
    tp_init(&argc, &argv);
    if (argc != 3 || !params_parse(argv[1], &params, wrong, sizeof wrong))
        return EXIT_FAILURE;
    const char *reason = cell_prepare(&params, tp_size(), &cell);
    if (reason) {
        puts(reason);
        return EXIT_SUCCESS;
    }
    int *rank_at = numbers(cell.ranks), *vertex_of = numbers(cell.ranks);
    if (read_slots(argv[2], rank_at, vertex_of))
        cell.placement = (struct placement){rank_at, vertex_of};
    for (cell.rank = 0; cell.rank < cell.ranks; cell.rank++) {
        printf("rank %d\n", cell.rank);
        params.pattern->begin(&cell);
        params.pattern->run(&cell, 0, 1);
    }
    return EXIT_SUCCESS;
}
