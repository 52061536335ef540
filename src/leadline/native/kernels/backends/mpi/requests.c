/** Operations under way, modes of sending, receives from any source: MPI's own. */
#include "backends/mpi/requests.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "backends/mpi/counts.h"
#include "transport/transport.h"

/* -- operations under way ---------------------------------------------------------------------- */

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

/* -- modes ------------------------------------------------------------------------------------- */

const char tp_matching_algorithm[] = "native";
const char tp_ssend_algorithm[] = "native";
const char tp_bsend_algorithm[] = "native";
const char tp_persistent_algorithm[] = "native";

enum { LINE = TP_LINE_BYTES };

static void *buffer;

int tp_recv_any(void *to, size_t bytes, int tag)
{
    MPI_Status status;
    LARGE(MPI_Recv)(to, (count_type)bytes, MPI_BYTE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
    return status.MPI_SOURCE;
}

void tp_ssend(const void *from, size_t bytes, int peer, int tag)
{
    LARGE(MPI_Ssend)(from, (count_type)bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD);
}

void tp_buffer_attach(size_t bytes)
{
    const size_t aligned = (bytes + LINE - 1) / LINE * LINE; /* MPICH aligns, beyond the overhead */
    const size_t all = TP_BUFFERED_MESSAGES * (aligned + MPI_BSEND_OVERHEAD);
    buffer = all <= MOST_COUNTED ? malloc(all) : NULL;
    if (!buffer) {
        fprintf(stderr, "leadline mpi: no buffer of %zu bytes for buffered messages\n", all);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    LARGE(MPI_Buffer_attach)(buffer, (count_type)all);
}

void tp_buffer_detach(void)
{
    void *detached;
    count_type bytes;
    LARGE(MPI_Buffer_detach)(&detached, &bytes);
    free(buffer);
}

void tp_bsend(const void *from, size_t bytes, int peer, int tag)
{
    LARGE(MPI_Bsend)(from, (count_type)bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD);
}

void tp_send_init(const void *from, size_t bytes, int peer, int tag, int slot)
{
    LARGE(MPI_Send_init)(from, (count_type)bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD,
                         &mpi_requests[slot]);
}

void tp_recv_init(void *to, size_t bytes, int peer, int tag, int slot)
{
    LARGE(MPI_Recv_init)(to, (count_type)bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD,
                         &mpi_requests[slot]);
}

void tp_start(int slot)
{
    MPI_Start(&mpi_requests[slot]);
}

void tp_persistent_free(int slot)
{
    MPI_Request_free(&mpi_requests[slot]);
}
