/** Any MPI of the standard's version 3.1 or later. */
#include <limits.h>
#include <mpi.h>
#include <stdint.h>
#include <string.h>

#include "mpi/one_sided.h"
#include "transport.h"

/* MPI 4 counts in MPI_Count through functions of their own; before that a count is an int. */
#if MPI_VERSION >= 4
#define LARGE(function) function##_c
typedef MPI_Count count_type;
const size_t tp_max_message_bytes = SIZE_MAX / 2;
#else
#define LARGE(function) function
typedef int count_type;
const size_t tp_max_message_bytes = INT_MAX;
#endif

const char tp_backend[] = "mpi";
const bool tp_carries_payload = true;
const char tp_send_algorithm[] = "native";
const char tp_barrier_algorithm[] = "native";
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

static int rank, size;
static MPI_Datatype datatypes[2]; /* by enum tp_type */
static MPI_Op operators[3];       /* by enum tp_op */

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
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    datatypes[TP_DOUBLE] = MPI_DOUBLE;
    datatypes[TP_INT64] = MPI_INT64_T;
    operators[TP_SUM] = MPI_SUM;
    operators[TP_MAX] = MPI_MAX;
    operators[TP_LAND] = MPI_LAND;
}

void tp_finalize(void)
{
    mpi_one_sided_close();
    MPI_Finalize();
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

void tp_bcast(void *buffer, size_t bytes, int root)
{
    LARGE(MPI_Bcast)(buffer, (count_type)bytes, MPI_BYTE, root, MPI_COMM_WORLD);
}

void tp_allreduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    LARGE(MPI_Allreduce)(from, to, (count_type)count, datatypes[type], operators[op],
                         MPI_COMM_WORLD);
}

void tp_reduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op, int root)
{
    LARGE(MPI_Reduce)(from, to, (count_type)count, datatypes[type], operators[op], root,
                      MPI_COMM_WORLD);
}

void tp_reduce_scatter(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    LARGE(MPI_Reduce_scatter_block)(from, to, (count_type)count, datatypes[type], operators[op],
                                    MPI_COMM_WORLD);
}

void tp_scan(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    LARGE(MPI_Scan)(from, to, (count_type)count, datatypes[type], operators[op], MPI_COMM_WORLD);
}

void tp_exscan(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    LARGE(MPI_Exscan)(from, to, (count_type)count, datatypes[type], operators[op], MPI_COMM_WORLD);
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
