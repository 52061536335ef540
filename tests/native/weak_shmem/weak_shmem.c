/**
 * OpenSHMEM over shm's one-sided operations, so that the mailbox over it can be watched by the
 * thread sanitizer. What the standard doesn't say isn't so:
 *
 *   set    orders nothing before it, but puts before a shmem_fence, and the caller's own loads
 *          before a release fence of C11;
 *   test   orders nothing behind it, but what is behind an acquire fence of C11.
 *
 * The sanitizer knows no fences, so they are told to this file ("-Wl,--wrap=" its own function for
 * them), which makes the next set a release, or the last test an acquire.
 */
#include <shmem.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "backends/shm/segment.h"
#include "backends/shmem/advance.h"
#include "backends/shmem/mailbox.h"
#include "transport/transport.h"

enum {
    HEAP_BYTES = 1 << 23, /* whole pages: the blocks of all ranks lie side by side */
    OWN_BYTES = 1 << 16,  /* the first are the program's own block */
};

const char tp_backend[] = "shmem";
const bool tp_carries_payload = true;
const size_t tp_max_message_bytes = 1 << 30;

/** What the next set may publish. */
static struct {
    bool put; /* since the last set */
    bool puts_fenced, loads_fenced;
} before;

static _Atomic uint64_t *tested; /* last */
static char *heap;
static size_t taken_bytes = OWN_BYTES;

void __wrap___tsan_atomic_thread_fence(int order);

void __wrap___tsan_atomic_thread_fence(int order)
{
    if (order >= memory_order_release)
        before.loads_fenced = true;
    if (tested && order != memory_order_relaxed && order != memory_order_release)
        (void)atomic_load_explicit(tested, memory_order_acquire);
}

/* All reach each other's memory: nothing is to be made to go on. */
void advance_open(void)
{
}

void advance_library(void)
{
}

int shmem_my_pe(void)
{
    return job.rank;
}

int shmem_n_pes(void)
{
    return job.ranks;
}

void *shmem_align(size_t alignment, size_t bytes)
{
    const size_t start = (taken_bytes + alignment - 1) / alignment * alignment;
    taken_bytes = start + bytes;
    return taken_bytes <= HEAP_BYTES ? heap + start : NULL;
}

void shmem_barrier_all(void)
{
    tp_quiet();
    tp_barrier();
}

_Noreturn void shmem_global_exit(int status)
{
    exit(status);
}

void shmem_putmem(void *to, const void *from, size_t bytes, int pe)
{
    tp_put_start(to, from, bytes, pe);
    before.put = true;
    before.puts_fenced = false;
}

void shmem_fence(void)
{
    before.puts_fenced = true;
}

void shmem_ulong_atomic_set(unsigned long *word, unsigned long value, int pe)
{
    char *there = (char *)word + ((ptrdiff_t)pe - job.rank) * HEAP_BYTES;
    const bool ordered = before.put ? before.puts_fenced : before.loads_fenced;
    before.put = before.puts_fenced = before.loads_fenced = false;
    atomic_store_explicit((_Atomic uint64_t *)(void *)there, value,
                          ordered ? memory_order_release : memory_order_relaxed);
}

int shmem_ulong_test(unsigned long *word, int comparison, unsigned long value)
{
    tested = (_Atomic uint64_t *)(void *)word;
    const uint64_t seen = atomic_load_explicit(tested, memory_order_relaxed);
    return comparison == SHMEM_CMP_EQ ? seen == value : seen > value;
}

const char *tp_library(void)
{
    return "OpenSHMEM as weak as its standard";
}

void tp_init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    segment_attach();
    job.lines[job.rank].pid = getpid();
    tp_barrier();
    heap = tp_symmetric_block(HEAP_BYTES);
    mailbox_open();
}

void tp_finalize(void)
{
    tp_barrier();
    segment_detach();
}
