/**
 * Obeys a script of placements over null and prints where they lay a grid: `placed SCRIPT RECORDS
 * NUMBER...` says for each number the ranks of all vertices, or "none", and checks that each rank
 * has its vertex.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "channel/control.h"
#include "engine/placements.h"

static void print(int64_t number)
{
    struct cell cell = {.ranks = tp_size()};
    if (!placements_find(number, &cell.placement)) {
        puts("none");
        return;
    }
    for (int vertex = 0; vertex < cell.ranks; vertex++) {
        cell.rank = rank_at(&cell, vertex);
        if (vertex_of(&cell) != vertex)
            exit(EXIT_FAILURE);
        printf("%d ", cell.rank);
    }
    puts("");
}

int main(int argc, char **argv)
{
    const char *line;
    tp_init(&argc, &argv);
    control_open(argv[1], argv[2], tp_rank());
    while ((line = control_next()))
        if (!placements_obey(line))
            return 2;
    placements_end();
    for (int i = 3; i < argc; i++)
        print(atoll(argv[i]));
    return EXIT_SUCCESS;
}
