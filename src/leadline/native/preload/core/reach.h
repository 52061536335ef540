/**
 * What is known of a communicator's processes: whether every one has this library, and which of
 * them share memory.
 */
#ifndef LEADLINE_PRELOAD_REACH_H
#define LEADLINE_PRELOAD_REACH_H

#include <mpi.h>
#include <stdint.h>

/* -- reach ------------------------------------------------------------------------------------- */

/*
 * Whether every process of a communicator has this library. Those without go straight into what the
 * program calls, and answer nothing: whoever has it says so by a notice before that call, which
 * ends only when all are in it, and so finds after it the notices of all that there are.
 */

enum reach {
    REACH_UNKNOWN, /**< not asked yet */
    REACH_ALL,
    REACH_SOME /**< not all, or it can't be told and nobody gave their word */
};

/** Says that this process has the library; to be called before reach_ask's communicator is made. */
void reach_announce(void);

/**
 * REACH_ALL or REACH_SOME, the same at all processes of `comm` that have the library, which are
 * those that call this. `comm` was made by all of its processes in a call since reach_announce, and
 * is used by nobody else who has the library. Warns where ranks must stay.
 */
enum reach reach_ask(MPI_Comm comm);

/**
 * The same where notices can't tell, for which `why` is a clause: REACH_ALL where the user gives
 * their word for it and `comm` is of one world, else REACH_SOME, of which rank 0 warns.
 */
enum reach reach_promised(MPI_Comm comm, const char *why);

/* -- crew -------------------------------------------------------------------------------------- */

/** What is known of a communicator, kept with it. */
struct crew {
    enum reach reach;
    int32_t node; /**< the lowest rank that shares memory with this one; -1: not asked yet */
};

/** That of `comm`, made at its first call; freed with `comm`, not handed on to its duplicates. */
struct crew *crew_of(MPI_Comm comm);

#endif
