/** OpenSHMEM 1.4 or later, any implementation. */
#include <limits.h>
#include <shmem.h>
#include <stdio.h>

#include "backends/shmem/collectives.h"
#include "backends/shmem/mailbox.h"
#include "transport/transport.h"

const char tp_backend[] = "shmem";
const bool tp_carries_payload = true;
const size_t tp_max_message_bytes = INT_MAX; /* reductions count in int */
const char tp_allocate_algorithm[] = "native";
const char tp_barrier_algorithm[] = "native";

const char *tp_library(void)
{
    static char text[SHMEM_MAX_NAME_LEN + 100];
    char name[SHMEM_MAX_NAME_LEN];
    int major, minor;
    shmem_info_get_name(name);
    shmem_info_get_version(&major, &minor);
#ifdef OSHMEM_MAJOR_VERSION
    snprintf(name, sizeof name, "Open MPI v%d.%d.%d", OSHMEM_MAJOR_VERSION, OSHMEM_MINOR_VERSION,
             OSHMEM_RELEASE_VERSION);
#endif
    snprintf(text, sizeof text, "%s (OpenSHMEM %d.%d)", name, major, minor);
    return text;
}

void tp_init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    shmem_init();
    collectives_open();
    mailbox_open();
}

void tp_finalize(void)
{
    shmem_finalize();
}

int tp_rank(void)
{
    return shmem_my_pe();
}

int tp_size(void)
{
    return shmem_n_pes();
}

/* Symmetric, because the library's collectives take nothing else. */
void *tp_allocate(size_t bytes)
{
    return shmem_align(tp_page_bytes(), tp_whole_pages(bytes));
}

void tp_release(void *memory)
{
    shmem_free(memory);
}

void tp_barrier(void)
{
    shmem_barrier_all();
}
