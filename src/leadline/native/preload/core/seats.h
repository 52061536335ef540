/** Which rank each process takes: found by rank 0, told to all. */
#ifndef LEADLINE_PRELOAD_SEATS_H
#define LEADLINE_PRELOAD_SEATS_H

#include <mpi.h>
#include <stdbool.h>

#include "mapping.h"

/** What a process of a communicator is told. */
struct seat {
    int moves; /**< 1: ranks change, of some processes at least; all are told the same */
    int rank;  /**< its new rank */
    int next;  /**< the new rank of the process whose old rank is `rank` */
};

/** What a communicator is asked for. */
struct wish {
    MPI_Comm comm;
    const char *call;           /**< as decision.h has it */
    struct map_pattern pattern; /**< at rank 0 */
    int ranks;                  /**< that take part in it: ranks from here on keep theirs */
};

/** Whether ranks of `comm` can move: false where it isn't one of a single group, of two or more. */
bool seats_possible(MPI_Comm comm);

/**
 * All ranks of the wish's communicator call this. Returns false where nothing is to be done: the
 * mode is report, or the library failed.
 */
bool seats_find(const struct wish *wish, struct seat *seat);

/** Makes `made` of `comm`, whose ranks are the new ones if `seat` moves; MPI_SUCCESS or an error.
 */
typedef int seats_maker(const void *call, const struct seat *seat, MPI_Comm comm, MPI_Comm *made);

/**
 * All ranks of `comm` call this with their seats: `make` makes `made` of it, or where ranks move of
 * its processes in their new order. By the standard `made` inherits the error handler either way.
 */
int seats_create(MPI_Comm comm, const struct seat *seat, seats_maker *make, const void *call,
                 MPI_Comm *made);

#endif
