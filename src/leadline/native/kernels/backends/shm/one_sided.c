/**
 * One-sided operations on memory that every rank has mapped: loads, stores and atomics.
 *
 * The blocks of all ranks lie side by side in one file without a name, which rank 0 makes and the
 * others open through its process: whatever kills the job leaves nothing behind.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/shm/segment.h"
#include "transport/transport.h"

enum { NONE = -1 };

const char tp_put_algorithm[] = "native";
const char tp_get_algorithm[] = "native";
const char tp_put_flag_algorithm[] = "native";
const char tp_fetch_add_algorithm[] = "native";
const char tp_compare_swap_algorithm[] = "native";

/** All ranks' blocks as this process sees them. */
static struct {
    char *memory;
    char *own;
    size_t bytes; /* of each rank */
} blocks;

static int created(size_t bytes)
{
    const int fd = memfd_create("leadline-symmetric", MFD_CLOEXEC);
    if (fd >= 0 && ftruncate(fd, (off_t)bytes) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return NONE;
}

static int opened(int fd_of_rank_0)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)job.lines[0].pid, fd_of_rank_0);
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        shm_fail("can't open rank 0's symmetric memory", strerror(errno));
    return fd;
}

static void map(int fd, size_t bytes)
{
    void *mapped = mmap(NULL, bytes * (size_t)job.ranks, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED)
        shm_fail("can't map the symmetric memory", strerror(errno));
    blocks.memory = mapped;
    blocks.own = blocks.memory + bytes * (size_t)job.rank;
    blocks.bytes = bytes;
}

static void unmap(void)
{
    if (blocks.memory)
        munmap(blocks.memory, blocks.bytes * (size_t)job.ranks);
    blocks.memory = blocks.own = NULL;
    blocks.bytes = 0;
}

void *tp_symmetric_block(size_t bytes)
{
    _Atomic int *shared_fd = &job.segment->symmetric_fd;
    if (bytes <= blocks.bytes)
        return blocks.own;
    bytes = tp_whole_pages(bytes);
    unmap();
    tp_barrier(); /* the others' operations on the old one are over */
    if (job.rank == 0)
        atomic_store(shared_fd, created(bytes * (size_t)job.ranks));
    tp_barrier();
    const int of_rank_0 = atomic_load(shared_fd);
    if (of_rank_0 == NONE)
        return NULL;
    const int fd = job.rank == 0 ? of_rank_0 : opened(of_rank_0);
    map(fd, bytes);
    tp_barrier(); /* all have opened it */
    close(fd);
    return blocks.own;
}

/* Where `peer` has what `own` names. */
static inline char *at(const void *own, int peer)
{
    return (char *)own + ((ptrdiff_t)peer - job.rank) * (ptrdiff_t)blocks.bytes;
}

static inline _Atomic uint64_t *word_at(const uint64_t *own, int peer)
{
    return (_Atomic uint64_t *)(void *)at(own, peer);
}

void tp_symmetric_sync(void)
{
    atomic_thread_fence(memory_order_seq_cst);
}

void tp_put(void *to, const void *from, size_t bytes, int peer)
{
    memcpy(at(to, peer), from, bytes);
    tp_quiet();
}

void tp_put_start(void *to, const void *from, size_t bytes, int peer)
{
    memcpy(at(to, peer), from, bytes);
}

void tp_get(void *to, const void *from, size_t bytes, int peer)
{
    memcpy(to, at(from, peer), bytes);
}

void tp_get_start(void *to, const void *from, size_t bytes, int peer)
{
    memcpy(to, at(from, peer), bytes);
}

/* Until the processor's own queue of stores is empty nothing is in memory that others see. */
void tp_quiet(void)
{
    atomic_thread_fence(memory_order_seq_cst);
}

void tp_put_flag(void *to, const void *from, size_t bytes, uint64_t *flag, uint64_t value, int peer)
{
    memcpy(at(to, peer), from, bytes);
    atomic_store_explicit(word_at(flag, peer), value, memory_order_release);
}

void tp_wait_until(const uint64_t *flag, uint64_t value)
{
    for (unsigned polls = 0;
         atomic_load_explicit(word_at(flag, job.rank), memory_order_acquire) != value;)
        shm_wait(&polls);
}

uint64_t tp_fetch_add(uint64_t *word, uint64_t value, int peer)
{
    return atomic_fetch_add_explicit(word_at(word, peer), value, memory_order_relaxed);
}

uint64_t tp_compare_swap(uint64_t *word, uint64_t expected, uint64_t value, int peer)
{
    atomic_compare_exchange_strong_explicit(word_at(word, peer), &expected, value,
                                            memory_order_relaxed, memory_order_relaxed);
    return expected;
}
