/** What is known of a communicator's processes, kept with it. */
#ifndef LEADLINE_PRELOAD_CREW_H
#define LEADLINE_PRELOAD_CREW_H

#include <mpi.h>
#include <stdint.h>

#include "core/reach.h"

struct crew {
    enum reach reach;
    int32_t node; /**< the lowest rank that shares memory with this one; -1: not asked yet */
};

/** That of `comm`, made at its first call; freed with `comm`, not handed on to its duplicates. */
struct crew *crew_of(MPI_Comm comm);

#endif
