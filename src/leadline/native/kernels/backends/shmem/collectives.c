/**
 * The library's own collectives. A SHMEM routine may write to a PE that hasn't called it yet: "the
 * destination is ready" is the program's business. The contract's callers may go on at once, so
 * each stands behind a barrier, as in programs written by hand; the algorithm's name says so.
 *
 * Words are 8 bytes. Sizes that are no multiple of it take the way that fits: a broadcast sends the
 * rest in a word of its own, blocks go by puts.
 */
#include "backends/shmem/collectives.h"

#include <inttypes.h>
#include <shmem.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/shmem/heap.h"
#include "transport/transport.h"

enum { WORD = 8 };

const char tp_bcast_algorithm[] = "native behind a barrier";
const char tp_allreduce_algorithm[] = "native behind a barrier";
const char tp_allgather_algorithm[] = "native behind a barrier";
const char tp_alltoall_algorithm[] = "native behind a barrier";

static long bcast_sync[SHMEM_BCAST_SYNC_SIZE];
static long reduce_sync[SHMEM_REDUCE_SYNC_SIZE];
static long collect_sync[SHMEM_COLLECT_SYNC_SIZE];
static long alltoall_sync[SHMEM_ALLTOALL_SYNC_SIZE];
static uint64_t rest; /* of a broadcast */

/** Symmetric memory kept from call to call. */
struct area {
    void *memory;
    size_t bytes;
};

static void reset(long *sync, int count)
{
    for (int i = 0; i < count; i++)
        sync[i] = SHMEM_SYNC_VALUE;
}

void collectives_open(void)
{
    reset(bcast_sync, SHMEM_BCAST_SYNC_SIZE);
    reset(reduce_sync, SHMEM_REDUCE_SYNC_SIZE);
    reset(collect_sync, SHMEM_COLLECT_SYNC_SIZE);
    reset(alltoall_sync, SHMEM_ALLTOALL_SYNC_SIZE);
    shmem_barrier_all();
}

/* The caller's loads of what others may overwrite from now on come before, its loads of what they
   left come after. */
static void meet(void)
{
    atomic_thread_fence(memory_order_release);
    shmem_barrier_all();
    atomic_thread_fence(memory_order_acquire);
}

/* At least `bytes` bytes; collective, since all PEs reduce the same number of elements. */
static void *grown(struct area *area, size_t bytes)
{
    if (bytes > area->bytes) {
        shmem_free(area->memory);
        *area = (struct area){heap_allocate(bytes, "a reduction's work array"), bytes};
    }
    return area->memory;
}

void tp_bcast(void *buffer, size_t bytes, int root)
{
    const size_t words = bytes / WORD, tail = bytes % WORD;
    const int pes = shmem_n_pes();
    meet();
    if (words > 0)
        shmem_broadcast64(buffer, buffer, words, root, 0, 0, pes, bcast_sync);
    if (tail == 0)
        return;
    memcpy(&rest, (char *)buffer + words * WORD, tail);
    meet();
    shmem_broadcast64(&rest, &rest, 1, root, 0, 0, pes, bcast_sync);
    memcpy((char *)buffer + words * WORD, &rest, tail);
}

/* Logical and is the library's bitwise one over zeros and ones. */
static void reduce_and(const int64_t *from, void *to, size_t count, long long *work)
{
    static struct area area;
    long long *ones = grown(&area, count * WORD);
    for (size_t i = 0; i < count; i++)
        ones[i] = from[i] != 0;
    meet();
    shmem_longlong_and_to_all(to, ones, (int)count, 0, 0, shmem_n_pes(), work, reduce_sync);
}

void tp_allreduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    static struct area area;
    const size_t least = count / 2 + 1;
    const size_t elements =
        least > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? least : SHMEM_REDUCE_MIN_WRKDATA_SIZE;
    const int pes = shmem_n_pes(), number = (int)count;
    void *work = grown(&area, elements * WORD), *source = (void *)(uintptr_t)from;
    if (op == TP_LAND) {
        reduce_and(from, to, count, work);
        return;
    }
    meet();
    if (count == 0)
        return;
    if (type == TP_DOUBLE && op == TP_SUM)
        shmem_double_sum_to_all(to, source, number, 0, 0, pes, work, reduce_sync);
    else if (type == TP_DOUBLE)
        shmem_double_max_to_all(to, source, number, 0, 0, pes, work, reduce_sync);
    else if (op == TP_SUM)
        shmem_longlong_sum_to_all(to, source, number, 0, 0, pes, work, reduce_sync);
    else
        shmem_longlong_max_to_all(to, source, number, 0, 0, pes, work, reduce_sync);
}

void tp_allgather(const void *from, void *to, size_t bytes)
{
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    meet();
    if (bytes % WORD == 0) {
        if (bytes > 0)
            shmem_fcollect64(to, from, bytes / WORD, 0, 0, pes, collect_sync);
        return;
    }
    for (int i = 0; i < pes; i++)
        shmem_putmem((char *)to + (size_t)me * bytes, from, bytes, (me + i) % pes);
    meet();
}

void tp_alltoall(const void *from, void *to, size_t bytes)
{
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    meet();
    if (bytes % WORD == 0) {
        if (bytes > 0)
            shmem_alltoall64(to, from, bytes / WORD, 0, 0, pes, alltoall_sync);
        return;
    }
    for (int i = 0; i < pes; i++) {
        const int peer = (me + i) % pes;
        shmem_putmem((char *)to + (size_t)me * bytes, (const char *)from + (size_t)peer * bytes,
                     bytes, peer);
    }
    meet();
}
