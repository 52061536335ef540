/** The MPI library that the program runs with, found when it first calls something wrapped. */
#ifndef LEADLINE_PRELOAD_LIBRARY_H
#define LEADLINE_PRELOAD_LIBRARY_H

#include "core.h"

/** A function of any type; to be cast before it is called. */
typedef void (*function)(void);

/**
 * The definition of `name` that the program would have called had this object not been preloaded;
 * NULL: there is none.
 */
function library_next(const char *name);

/**
 * What maps for this library, loaded at the first call; NULL where LEADLINE_MAP is off, and where
 * the library isn't the one that this object was compiled for. Rank 0 of the first `comm` then says
 * why.
 */
const struct core *library_core(intptr_t comm);

#endif
