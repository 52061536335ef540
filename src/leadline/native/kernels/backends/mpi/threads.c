/** The thread level: MPI's own. */
#include "backends/mpi/threads.h"

#include <mpi.h>
#include <stdlib.h>

#include "transport/transport.h"

const char tp_threads_algorithm[] = "native";

static int granted = MPI_THREAD_SINGLE;

void mpi_threads_init(int *argc, char ***argv)
{
    if (getenv("LEADLINE_THREADS"))
        MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &granted);
    else
        MPI_Init(argc, argv);
}

bool tp_threads_granted(void)
{
    return granted == MPI_THREAD_MULTIPLE;
}
