/**
 * Makes the communicator that a program asks for: first as the library does, together with ranks
 * that may lack this one, then of processes in a new order. Where all of `comm` are known to have
 * this library, the first is left out.
 */
#ifndef LEADLINE_PRELOAD_CREATION_H
#define LEADLINE_PRELOAD_CREATION_H

#include "core/seats.h"

/** One of the calls that make communicators. */
struct creation {
    MPI_Comm comm;
    const void *call; /**< its arguments, which only the functions below know */
    /** The library's own, on `call`. */
    int (*plainly)(const void *call, MPI_Comm *made);
    /** This process's seat among `comm`: the program's, or what the library made of it. */
    bool (*seat)(const void *call, MPI_Comm comm, struct seat *seat);
    seats_maker *make;
};

/** As the functions of core.h. */
bool creation_run(const struct creation *creation, void *newcomm, int *status);

#endif
