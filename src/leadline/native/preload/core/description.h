/**
 * A machine as text: what a user or the command that starts a program knows of the network.
 *
 *     leadline-machine 1
 *     torus 8x8x8 periodic 1,1,1      (or: tree LEVELS, then for each vertex a line
 *     vertex A0 A1 ...                 with its switch at each level, lowest level first)
 *     host NAME VERTEX                all cores of a host lie at one vertex
 *     core NAME CORE VERTEX           a core of a host lies at a vertex of its own
 *
 * Lines end with a newline or ";".
 */
#ifndef LEADLINE_PRELOAD_DESCRIPTION_H
#define LEADLINE_PRELOAD_DESCRIPTION_H

#include <stdbool.h>

#include "mapping.h"

/** A line `host`, or `core`. */
struct seat_line {
    const char *host;
    int64_t core; /**< -1: all of them */
    int64_t vertex;
};

struct description {
    struct map_machine network; /**< without slots; its arrays are the two below */
    int64_t dims[MAP_MOST_DIMS];
    uint8_t periodic[MAP_MOST_DIMS];
    int64_t *ancestors;
    struct seat_line *seats; /**< in order of host and core */
    int64_t count;
    char *text; /**< what names of hosts point into */
};

/**
 * Reads `source`: a description, or "@" and the path of a file with one. Returns false, after one
 * warning that says where it is wrong, where it is none; `made` then needs no description_free.
 */
bool description_read(const char *source, struct description *made);

/** Frees what description_read made. */
void description_free(struct description *made);

/**
 * The vertex of core `core` of `host`, found by its name, else by what of it comes before the first
 * dot; -1: not described.
 */
int64_t description_vertex(const struct description *made, const char *host, int64_t core);

#endif
