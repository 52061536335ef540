/**
 * Says which library this is: by its header when compiled, by its own report when run. With an
 * argument it also joins the job and passes one message, so that the launcher and the transport
 * are known to work.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* Intel MPI and MPICH's other descendants define MPICH_VERSION too. */
#if defined I_MPI_VERSION
#define HEADER "impi"
#elif defined OMPI_MAJOR_VERSION
#define HEADER "openmpi"
#elif defined MPICH_VERSION && !defined MVAPICH_VERSION && !defined MVAPICH2_VERSION
#define HEADER "mpich"
#else
#define HEADER "mpi"
#endif

enum { MESSAGE_BYTES = 1 << 20 };

static void report_library(void)
{
    char report[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    MPI_Get_library_version(report, &length);
    for (char *end = strpbrk(report, "\r\n"); end; end = strpbrk(end, "\r\n"))
        *end = ' ';
    printf("leadline-probe header=%s library=%s\n", HEADER, report);
}

static void exchange(void)
{
    static char message[MESSAGE_BYTES];
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0 && size > 1)
        MPI_Send(message, MESSAGE_BYTES, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(message, MESSAGE_BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("leadline-probe size=%d\n", size);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        report_library();
        return 0;
    }
    MPI_Init(&argc, &argv);
    exchange();
    MPI_Finalize();
    return 0;
}
