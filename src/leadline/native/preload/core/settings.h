/** What the environment asks for; docs/reference.md lists the variables. */
#ifndef LEADLINE_PRELOAD_SETTINGS_H
#define LEADLINE_PRELOAD_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

struct settings {
    bool report;         /**< only say what would be gained */
    int metric;          /**< enum map_metric */
    int64_t steps;       /**< swaps tried in the end */
    const char *machine; /**< a flat description, or "@" and the path of one; NULL: none */
    const char *out;     /**< the file that permutations are appended to; NULL: none */
};

/** Reads them. A word that is none is warned of, and what holds without it is taken. */
struct settings settings_read(void);

/** Whether LEADLINE_MAP=report; warns of nothing. */
bool settings_report(void);

/** Whether LEADLINE_MAP_REACHES=all: the user's word that every rank has this library. */
bool settings_reaches_all(void);

/** Whether MPI_Cart_map is left to the library: LEADLINE_MAP_CART_MAP=off. */
bool settings_cart_map_off(void);

#endif
