/** Neighbour collectives: MPI's own, on a Cartesian communicator. */
#include "backends/mpi/collectives.h"
#include "backends/mpi/counts.h"
#include "transport/transport.h"

const char tp_neighbor_allgather_algorithm[] = "native";
const char tp_neighbor_alltoall_algorithm[] = "native";

void tp_neighbor_allgather(const void *from, void *to, size_t bytes)
{
    LARGE(MPI_Neighbor_allgather)(from, (count_type)bytes, MPI_BYTE, to, (count_type)bytes,
                                  MPI_BYTE, mpi_grid);
}

void tp_neighbor_alltoall(const void *from, void *to, size_t bytes)
{
    LARGE(MPI_Neighbor_alltoall)(from, (count_type)bytes, MPI_BYTE, to, (count_type)bytes, MPI_BYTE,
                                 mpi_grid);
}
