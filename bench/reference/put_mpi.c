/**
 * The put that one would write by hand: MPI_Put and MPI_Win_flush straight in the loop, on a window
 * of its own. Linked into a kernel as its extra pattern, it shares process, library and clock with
 * the tool's.
 */
#include <mpi.h>

#include "patterns/pattern.h"

enum { WINDOW_BYTES = 1 << 20 };

static MPI_Win window = MPI_WIN_NULL;

/* Both ranks call it, before anything is timed. */
static void fill(const struct cell *cell, long repetition)
{
    static void *memory;
    (void)cell, (void)repetition;
    if (window != MPI_WIN_NULL)
        return;
    MPI_Win_allocate(WINDOW_BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
}

static void put_by_hand(const struct cell *cell, long first, long last)
{
    const int bytes = (int)cell->size_bytes;
    char *out = ring_at(&cell->out, 0);
    if (cell->rank != 0)
        return;
    for (long i = first; i < last; i++) {
        MPI_Put(out, bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, window);
        MPI_Win_flush(1, window);
    }
}

static bool trusted(const struct cell *cell, long repetition, struct mismatch *mismatch)
{
    (void)cell, (void)repetition, (void)mismatch;
    return true;
}

const struct pattern pattern_extra = {
    .name = "put_by_hand",
    .summary = "a put into rank 1's memory, written by hand",
    .algorithm = "native",
    .participants = 2,
    .messages_per_repetition = 1,
    .granularity = 1,
    .symmetric = true,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = put_by_hand,
    .fill = fill,
    .check = trusted,
};
