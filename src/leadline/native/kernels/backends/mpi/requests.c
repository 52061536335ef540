/** Operations under way: MPI's own requests. */
#include "backends/mpi/requests.h"

#include "backends/mpi/counts.h"

#if defined(__GNUC__) && !defined(__clang__)
/* MPICH 4.0's MPI_STATUSES_IGNORE is the address 1, where GCC 12 misses an array. */
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif

const char tp_isend_algorithm[] = "native";

MPI_Request mpi_requests[TP_MOST_REQUESTS];

void tp_isend(const void *from, size_t bytes, int peer, int tag, int slot)
{
    LARGE(MPI_Isend)(from, (count_type)bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD,
                     &mpi_requests[slot]);
}

void tp_irecv(void *to, size_t bytes, int peer, int tag, int slot)
{
    LARGE(MPI_Irecv)(to, (count_type)bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD,
                     &mpi_requests[slot]);
}

void tp_wait(int slot)
{
    MPI_Wait(&mpi_requests[slot], MPI_STATUS_IGNORE);
}

void tp_waitall(int first, int count)
{
    MPI_Waitall(count, &mpi_requests[first], MPI_STATUSES_IGNORE);
}

bool tp_test(int slot)
{
    int complete;
    MPI_Test(&mpi_requests[slot], &complete, MPI_STATUS_IGNORE);
    return complete;
}
