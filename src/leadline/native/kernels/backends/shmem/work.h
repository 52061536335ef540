/** What the library's collectives need besides their arguments, and how the backend fails. */
#ifndef LEADLINE_SHMEM_WORK_H
#define LEADLINE_SHMEM_WORK_H

#include <stddef.h>

/** Allocates the arrays that PEs synchronise by; collective. */
void work_open(void);

/** `bytes` bytes of symmetric memory, aligned to a page; ends the job where there are none. */
void *work_allocate(size_t bytes, const char *what);

/** Prints what failed and ends the job. */
_Noreturn void shmem_fail(const char *what, const char *detail);

#endif
