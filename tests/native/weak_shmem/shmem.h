/**
 * As much of OpenSHMEM as messages need, over raw shared memory, and as weak as its standard allows
 * (weak_shmem.c): what a mailbox relies on beyond that shows as a race.
 */
#ifndef LEADLINE_TESTS_SHMEM_H
#define LEADLINE_TESTS_SHMEM_H

#include <stddef.h>

enum { SHMEM_CMP_EQ, SHMEM_CMP_GT };

int shmem_my_pe(void);
int shmem_n_pes(void);
void *shmem_align(size_t alignment, size_t bytes);
void shmem_barrier_all(void);
_Noreturn void shmem_global_exit(int status);
void shmem_putmem(void *to, const void *from, size_t bytes, int pe);
void shmem_fence(void);
void shmem_ulong_atomic_set(unsigned long *word, unsigned long value, int pe);
int shmem_ulong_test(unsigned long *word, int comparison, unsigned long value);

#endif
