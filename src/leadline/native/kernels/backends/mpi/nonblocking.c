/** Non-blocking collectives: MPI's own. */
#include "backends/mpi/collectives.h"
#include "backends/mpi/counts.h"
#include "backends/mpi/requests.h"
#include "transport/transport.h"

const char tp_ibarrier_algorithm[] = "native";
const char tp_ibcast_algorithm[] = "native";
const char tp_iallreduce_algorithm[] = "native";
const char tp_iallgather_algorithm[] = "native";
const char tp_ialltoall_algorithm[] = "native";

void tp_ibarrier(int slot)
{
    MPI_Ibarrier(MPI_COMM_WORLD, &mpi_requests[slot]);
}

void tp_ibcast(void *buffer, size_t bytes, int root, int slot)
{
    LARGE(MPI_Ibcast)(buffer, (count_type)bytes, MPI_BYTE, root, MPI_COMM_WORLD,
                      &mpi_requests[slot]);
}

void tp_iallreduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op,
                   int slot)
{
    LARGE(MPI_Iallreduce)(from, to, (count_type)count, mpi_datatypes[type], mpi_operators[op],
                          MPI_COMM_WORLD, &mpi_requests[slot]);
}

void tp_iallgather(const void *from, void *to, size_t bytes, int slot)
{
    LARGE(MPI_Iallgather)(from, (count_type)bytes, MPI_BYTE, to, (count_type)bytes, MPI_BYTE,
                          MPI_COMM_WORLD, &mpi_requests[slot]);
}

void tp_ialltoall(const void *from, void *to, size_t bytes, int slot)
{
    LARGE(MPI_Ialltoall)(from, (count_type)bytes, MPI_BYTE, to, (count_type)bytes, MPI_BYTE,
                         MPI_COMM_WORLD, &mpi_requests[slot]);
}
