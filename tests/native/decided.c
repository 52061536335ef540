/**
 * Decides, as the preload library does, where the ranks of a graph go, and
 * prints whether they move. Arguments: metric, nodes of a ring (0: one switch),
 * ranks of each node by commas, then an edge a word: FROM-TO.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/decision.h"

enum { MOST = 64 };

/** Slots node by node; returns how many. */
static int64_t read_slots(char *words, int64_t *vertex_of_slot)
{
    int64_t slots = 0, vertex = 0;
    for (char *word = strtok(words, ","); word; word = strtok(NULL, ","), vertex++)
        for (int core = 0; core < atoi(word); core++)
            vertex_of_slot[slots++] = vertex;
    return slots;
}

/** Edges that begin at each rank in turn, to `starts` and `neighbours`. */
static void read_edges(char **words, int count, int64_t ranks, int64_t *starts, int64_t *neighbours)
{
    int64_t edges = 0;
    for (int64_t rank = 0; rank < ranks; rank++) {
        starts[rank] = edges;
        for (int k = 0; k < count; k++)
            if (atoll(words[k]) == rank)
                neighbours[edges++] = atoll(strchr(words[k], '-') + 1);
    }
    starts[ranks] = edges;
}

int main(int argc, char **argv)
{
    int64_t slots[MOST], starts[MOST + 1], neighbours[MOST], permutation[MOST];
    int64_t switches[MOST] = {0}, around = atoll(argv[2]);
    const int64_t ranks = read_slots(argv[3], slots);
    const uint8_t periodic = 1;
    double weights[MOST];
    for (int k = 0; k < MOST; k++)
        weights[k] = 1;
    read_edges(argv + 4, argc - 4, ranks, starts, neighbours);
    const struct map_pattern pattern = {MAP_GRAPH, .ranks = ranks, .starts = starts,
                                        .neighbours = neighbours, .edge_weights = weights};
    const struct map_machine machine = {
        around ? MAP_TORUS : MAP_TREE, .ndims = 1,       .dims = &around,
        .periodic = &periodic,         .vertices = MOST, .levels = 1,
        .ancestors = switches,         .slots = ranks,   .vertex_of_slot = slots};
    const struct settings settings = {.metric = atoi(argv[1]), .steps = 1000};
    const bool moves = decide("graph", &pattern, &machine, &settings, permutation);
    puts(moves ? "moves" : "stays");
    return 0;
}
