/**
 * One-sided operations as MPI's remote memory access, passive target: one window, made when it is
 * first asked for and locked for all of its life.
 *
 * MPI doesn't order puts. A flag is set by an atomic replace after a flush of the bytes.
 */
#include "backends/mpi/one_sided.h"

#include <stdatomic.h>

#include "backends/mpi/counts.h"
#include "transport/transport.h"

enum { NOBODY = -1, EVERYBODY = -2, POLLS_PER_PROGRESS = 64 };

const char tp_put_algorithm[] = "native";
const char tp_get_algorithm[] = "native";
const char tp_put_flag_algorithm[] = "put, flush, atomic replace";
const char tp_fetch_add_algorithm[] = "native";
const char tp_compare_swap_algorithm[] = "native";

/** The window as this rank sees it. */
static struct {
    MPI_Win handle;
    char *memory; /* this rank's part */
    char *own;    /* the block in it, equally far from its start on all ranks */
    size_t bytes; /* of the block */
    int pending;  /* who may have operations of this rank under way */
    MPI_Request endless;
    char never[1];
} window = {.handle = MPI_WIN_NULL, .pending = NOBODY, .endless = MPI_REQUEST_NULL};

/* A receive that nothing is ever sent to: testing it makes the library look for what else came in.
   MPI_Iprobe need not: MPICH 4.0 over UCX leaves others' puts to whoever probes alone. */
static void begin_endless(void)
{
    MPI_Irecv(window.never, 1, MPI_BYTE, 0, 0, MPI_COMM_SELF, &window.endless);
}

static void cancel_endless(void)
{
    MPI_Cancel(&window.endless);
    MPI_Wait(&window.endless, MPI_STATUS_IGNORE);
}

void mpi_one_sided_close(void)
{
    if (window.handle == MPI_WIN_NULL)
        return;
    cancel_endless();
    MPI_Win_unlock_all(window.handle);
    MPI_Win_free(&window.handle);
    window.bytes = 0;
}

/* How far from the start of its part the block lies; a page's start where all parts lie alike. */
static size_t common_start(void)
{
    const size_t page = tp_page_bytes();
    uint64_t start = (page - (uintptr_t)window.memory % page) % page;
    MPI_Allreduce(MPI_IN_PLACE, &start, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    return start;
}

void *tp_symmetric_block(size_t bytes)
{
    if (bytes <= window.bytes)
        return window.own;
    mpi_one_sided_close();
    window.bytes = tp_whole_pages(bytes);
    MPI_Win_allocate((MPI_Aint)(window.bytes + tp_page_bytes()), 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &window.memory, &window.handle);
    window.own = window.memory + common_start();
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window.handle);
    begin_endless();
    return window.own;
}

static inline MPI_Aint displacement(const void *own)
{
    return (const char *)own - window.memory;
}

/* One peer stays noted after tp_quiet: nothing is written while all goes to the same one. */
static inline void note_pending(int peer)
{
    if (window.pending != peer)
        window.pending = window.pending == NOBODY ? peer : EVERYBODY;
}

void tp_symmetric_sync(void)
{
    MPI_Win_sync(window.handle);
    atomic_thread_fence(memory_order_acq_rel);
}

void tp_put(void *to, const void *from, size_t bytes, int peer)
{
    const count_type count = (count_type)bytes;
    LARGE(MPI_Put)
    (from, count, MPI_BYTE, peer, displacement(to), count, MPI_BYTE, window.handle);
    MPI_Win_flush(peer, window.handle);
}

void tp_put_start(void *to, const void *from, size_t bytes, int peer)
{
    const count_type count = (count_type)bytes;
    LARGE(MPI_Put)
    (from, count, MPI_BYTE, peer, displacement(to), count, MPI_BYTE, window.handle);
    note_pending(peer);
}

void tp_get_start(void *to, const void *from, size_t bytes, int peer)
{
    const count_type count = (count_type)bytes;
    LARGE(MPI_Get)
    (to, count, MPI_BYTE, peer, displacement(from), count, MPI_BYTE, window.handle);
    note_pending(peer);
}

void tp_get(void *to, const void *from, size_t bytes, int peer)
{
    const count_type count = (count_type)bytes;
    LARGE(MPI_Get)
    (to, count, MPI_BYTE, peer, displacement(from), count, MPI_BYTE, window.handle);
    MPI_Win_flush(peer, window.handle);
}

void tp_quiet(void)
{
    if (window.pending >= 0) {
        MPI_Win_flush(window.pending, window.handle);
    } else if (window.pending == EVERYBODY) {
        window.pending = NOBODY;
        MPI_Win_flush_all(window.handle);
    }
}

/* MPI's calls say nothing of the caller's own loads before them: the fence keeps these back. */
void tp_put_flag(void *to, const void *from, size_t bytes, uint64_t *flag, uint64_t value, int peer)
{
    const count_type count = (count_type)bytes;
    atomic_thread_fence(memory_order_release);
    if (bytes > 0) {
        LARGE(MPI_Put)
        (from, count, MPI_BYTE, peer, displacement(to), count, MPI_BYTE, window.handle);
        MPI_Win_flush(peer, window.handle);
    }
    MPI_Accumulate(&value, 1, MPI_UINT64_T, peer, displacement(flag), 1, MPI_UINT64_T, MPI_REPLACE,
                   window.handle);
    MPI_Win_flush(peer, window.handle);
}

/* Where the library carries puts out by messages, they come in only while it is called. */
void tp_wait_until(const uint64_t *flag, uint64_t value)
{
    _Atomic uint64_t *word = (_Atomic uint64_t *)(uintptr_t)flag;
    int arrived;
    for (unsigned polls = 1; atomic_load_explicit(word, memory_order_acquire) != value; polls++)
        if (polls % POLLS_PER_PROGRESS == 0)
            MPI_Test(&window.endless, &arrived, MPI_STATUS_IGNORE);
    MPI_Win_sync(window.handle);
}

uint64_t tp_fetch_add(uint64_t *word, uint64_t value, int peer)
{
    uint64_t before;
    MPI_Fetch_and_op(&value, &before, MPI_UINT64_T, peer, displacement(word), MPI_SUM,
                     window.handle);
    MPI_Win_flush(peer, window.handle);
    return before;
}

uint64_t tp_compare_swap(uint64_t *word, uint64_t expected, uint64_t value, int peer)
{
    uint64_t before;
    MPI_Compare_and_swap(&value, &expected, &before, MPI_UINT64_T, peer, displacement(word),
                         window.handle);
    MPI_Win_flush(peer, window.handle);
    return before;
}
