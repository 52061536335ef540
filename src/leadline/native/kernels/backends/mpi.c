/** Any MPI of the standard's version 3.1 or later. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "backends/mpi/collectives.h"
#include "backends/mpi/counts.h"
#include "backends/mpi/one_sided.h"
#include "transport/transport.h"

const size_t tp_max_message_bytes = MOST_COUNTED;
const char tp_backend[] = "mpi";
const bool tp_carries_payload = true;
const char tp_send_algorithm[] = "native";
const char tp_barrier_algorithm[] = "native";
const char tp_threads_algorithm[] = "native";

static int rank, size, thread_level = MPI_THREAD_SINGLE;

const char *tp_library(void)
{
    static char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    for (char *end = strpbrk(version, "\r\n"); end; end = strpbrk(version, "\r\n"))
        *end = ' ';
    return version;
}

void tp_init(int *argc, char ***argv)
{
    if (getenv("LEADLINE_THREADS"))
        MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &thread_level);
    else
        MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mpi_collectives_open();
}

void tp_finalize(void)
{
    mpi_one_sided_close();
    mpi_collectives_close();
    MPI_Finalize();
}

bool tp_threads_granted(void)
{
    return thread_level == MPI_THREAD_MULTIPLE;
}

int tp_rank(void)
{
    return rank;
}

int tp_size(void)
{
    return size;
}

void tp_send(const void *from, size_t bytes, int peer, int tag)
{
    LARGE(MPI_Send)(from, (count_type)bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD);
}

void tp_recv(void *to, size_t bytes, int peer, int tag)
{
    LARGE(MPI_Recv)(to, (count_type)bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void tp_sendrecv(const void *from, size_t send_bytes, int dest, void *to, size_t recv_bytes,
                 int source, int tag)
{
    LARGE(MPI_Sendrecv)(from, (count_type)send_bytes, MPI_BYTE, dest, tag, to,
                        (count_type)recv_bytes, MPI_BYTE, source, tag, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE);
}

void tp_barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}
