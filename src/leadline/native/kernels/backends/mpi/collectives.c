/** Collectives: MPI's own. */
#include "backends/mpi/collectives.h"

#include "backends/mpi/counts.h"
#include "transport/transport.h"

const char tp_bcast_algorithm[] = "native";
const char tp_allreduce_algorithm[] = "native";
const char tp_reduce_algorithm[] = "native";
const char tp_reduce_scatter_algorithm[] = "native";
const char tp_scan_algorithm[] = "native";
const char tp_exscan_algorithm[] = "native";
const char tp_gather_algorithm[] = "native";
const char tp_scatter_algorithm[] = "native";
const char tp_allgather_algorithm[] = "native";
const char tp_alltoall_algorithm[] = "native";

MPI_Datatype mpi_datatypes[2];
MPI_Op mpi_operators[3];
MPI_Comm mpi_grid;

void mpi_collectives_open(void)
{
    static const int periodic[] = {1, 1};
    const struct tp_grid *grid = tp_grid();
    mpi_datatypes[TP_DOUBLE] = MPI_DOUBLE;
    mpi_datatypes[TP_INT64] = MPI_INT64_T;
    mpi_operators[TP_SUM] = MPI_SUM;
    mpi_operators[TP_MAX] = MPI_MAX;
    mpi_operators[TP_LAND] = MPI_LAND;
    MPI_Cart_create(MPI_COMM_WORLD, grid->dimensions, grid->extents, periodic, 0, &mpi_grid);
}

void mpi_collectives_close(void)
{
    MPI_Comm_free(&mpi_grid);
}

void tp_bcast(void *buffer, size_t bytes, int root)
{
    LARGE(MPI_Bcast)(buffer, (count_type)bytes, MPI_BYTE, root, MPI_COMM_WORLD);
}

void tp_allreduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    LARGE(MPI_Allreduce)(from, to, (count_type)count, mpi_datatypes[type], mpi_operators[op],
                         MPI_COMM_WORLD);
}

void tp_reduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op, int root)
{
    LARGE(MPI_Reduce)(from, to, (count_type)count, mpi_datatypes[type], mpi_operators[op], root,
                      MPI_COMM_WORLD);
}

void tp_reduce_scatter(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    LARGE(MPI_Reduce_scatter_block)(from, to, (count_type)count, mpi_datatypes[type],
                                    mpi_operators[op], MPI_COMM_WORLD);
}

void tp_scan(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    LARGE(MPI_Scan)(from, to, (count_type)count, mpi_datatypes[type], mpi_operators[op],
                    MPI_COMM_WORLD);
}

void tp_exscan(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    LARGE(MPI_Exscan)(from, to, (count_type)count, mpi_datatypes[type], mpi_operators[op],
                      MPI_COMM_WORLD);
}

void tp_gather(const void *from, void *to, size_t bytes, int root)
{
    LARGE(MPI_Gather)(from, (count_type)bytes, MPI_BYTE, to, (count_type)bytes, MPI_BYTE, root,
                      MPI_COMM_WORLD);
}

void tp_scatter(const void *from, void *to, size_t bytes, int root)
{
    LARGE(MPI_Scatter)(from, (count_type)bytes, MPI_BYTE, to, (count_type)bytes, MPI_BYTE, root,
                       MPI_COMM_WORLD);
}

void tp_allgather(const void *from, void *to, size_t bytes)
{
    LARGE(MPI_Allgather)(from, (count_type)bytes, MPI_BYTE, to, (count_type)bytes, MPI_BYTE,
                         MPI_COMM_WORLD);
}

void tp_alltoall(const void *from, void *to, size_t bytes)
{
    LARGE(MPI_Alltoall)(from, (count_type)bytes, MPI_BYTE, to, (count_type)bytes, MPI_BYTE,
                        MPI_COMM_WORLD);
}
