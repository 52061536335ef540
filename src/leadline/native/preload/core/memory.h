/** Memory without which a rank can't take part in what the others have begun. */
#ifndef LEADLINE_PRELOAD_MEMORY_H
#define LEADLINE_PRELOAD_MEMORY_H

#include <mpi.h>
#include <stddef.h>

/** An array of `count` items of `size` bytes, cleared; where memory lacks the job is aborted. */
void *memory_of(MPI_Comm comm, size_t count, size_t size);

#endif
