#include "backends/shmem/heap.h"

#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#include "transport/transport.h"

_Noreturn void shmem_fail(const char *what, const char *detail)
{
    fprintf(stderr, "leadline shmem, PE %d: %s: %s\n", shmem_my_pe(), what, detail);
    shmem_global_exit(EXIT_FAILURE);
    abort();
}

void *heap_allocate(size_t bytes, const char *what)
{
    void *memory = shmem_align(tp_page_bytes(), bytes);
    if (!memory)
        shmem_fail("the symmetric heap has no room, set SHMEM_SYMMETRIC_SIZE", what);
    return memory;
}
