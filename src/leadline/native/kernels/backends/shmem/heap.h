/** Symmetric memory of the backend's own, and how the backend fails. */
#ifndef LEADLINE_SHMEM_HEAP_H
#define LEADLINE_SHMEM_HEAP_H

#include <stddef.h>

/** `bytes` bytes of symmetric memory, aligned to a page; ends the job where there are none. */
void *heap_allocate(size_t bytes, const char *what);

/** Prints what failed and ends the job. */
_Noreturn void shmem_fail(const char *what, const char *detail);

#endif
