/**
 * The ping-pong that one would write by hand: MPI_Send and MPI_Recv straight in the loop.
 *
 * Linked into a kernel as its extra pattern, it shares process, library, buffers and clock with the
 * tool's own ping-pong, so that what differs is the tool's transport layer alone.
 */
#include <mpi.h>

#include "patterns/pattern.h"

enum { TAG = 1 };

static void pingpong_by_hand(const struct cell *cell, long first, long last)
{
    const int bytes = (int)cell->size_bytes;
    char *out = ring_at(&cell->out, 0), *in = ring_at(&cell->in, 0);
    if (cell->rank == 0) {
        for (long i = first; i < last; i++) {
            MPI_Send(out, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
            MPI_Recv(in, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    } else {
        for (long i = first; i < last; i++) {
            MPI_Recv(in, bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(out, bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
        }
    }
}

const struct pattern pattern_extra = {
    .name = "pingpong_by_hand",
    .summary = "half round trip between ranks 0 and 1, written by hand",
    .algorithm = "native",
    .participants = 2,
    .messages_per_repetition = 2,
    .granularity = 1,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = pingpong_by_hand,
};
