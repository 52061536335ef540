/**
 * A rank that is a thread (rank_threads.c): what it asks of its process is told apart by rank, and
 * what it maps lies where the others have it. Linked with "-Wl,--wrap=" getenv, mmap, munmap,
 * process_vm_readv and, where there is one, single_copy_pays.
 *
 * Messages beyond a slot are all single copies where ALL_COPIES_SINGLE is set, else none: by
 * the calibration it would be chance.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include "rank_threads.h"

enum { MOST_BYTES_AT_ONCE = 50000 };

static char rank_word[16], ranks_word[16];

char *__wrap_getenv(const char *name);
char *__real_getenv(const char *name);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset);
void *__real_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset);
int __wrap_munmap(void *memory, size_t bytes);
ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *here, unsigned long here_count,
                                const struct iovec *there, unsigned long there_count,
                                unsigned long flags);
bool __wrap_single_copy_pays(size_t bytes, bool resent);

void as_thread_place(int rank, int ranks)
{
    snprintf(rank_word, sizeof rank_word, "%d", rank);
    snprintf(ranks_word, sizeof ranks_word, "%d", ranks);
}

char *__wrap_getenv(const char *name)
{
    if (strcmp(name, "LEADLINE_RANK") == 0)
        return rank_word;
    return strcmp(name, "LEADLINE_RANKS") == 0 ? ranks_word : __real_getenv(name);
}

void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    if (flags & MAP_SHARED && fd >= 0)
        return rank_threads_map(fd, bytes);
    return __real_mmap(at, bytes, protection, flags, fd, offset);
}

/* Another rank may still use it. */
int __wrap_munmap(void *memory, size_t bytes)
{
    (void)memory, (void)bytes;
    return 0;
}

/* A copy that the sanitizer sees; it too stops short of a large message's end. */
ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *here, unsigned long here_count,
                                const struct iovec *there, unsigned long there_count,
                                unsigned long flags)
{
    const size_t bytes =
        here->iov_len < MOST_BYTES_AT_ONCE ? here->iov_len : (size_t)MOST_BYTES_AT_ONCE;
    (void)pid, (void)here_count, (void)there_count, (void)flags;
    memcpy(here->iov_base, there->iov_base, bytes);
    return (ssize_t)bytes;
}

bool __wrap_single_copy_pays(size_t bytes, bool resent)
{
    (void)bytes, (void)resent;
    return __real_getenv("ALL_COPIES_SINGLE") != NULL;
}
