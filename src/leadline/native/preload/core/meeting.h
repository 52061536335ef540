/** Where a call that by the standard each process makes by itself has to be made by all. */
#ifndef LEADLINE_PRELOAD_MEETING_H
#define LEADLINE_PRELOAD_MEETING_H

#include <mpi.h>
#include <stdbool.h>

/**
 * Waits until all of `comm` are in `call`; warns, with `remedy`, where that takes long. Returns
 * false where the library fails.
 */
bool meet(MPI_Comm comm, const char *call, const char *remedy);

#endif
