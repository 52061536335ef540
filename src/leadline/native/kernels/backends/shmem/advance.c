/**
 * Where no hardware writes into the target's memory, as over TCP, a put is a message that the
 * target's library takes in when it is called. The standard wants a PE that tests memory to see
 * every put in the end, but Open MPI's shmem_test (4.1) looks at memory and calls nothing; what its
 * shmem_wait_until calls besides is opal_progress. For the same reason no PE may stay away from the
 * library while another waits for an atomic operation on its memory, or for its puts to be there.
 */
#include "backends/shmem/advance.h"

#include <dlfcn.h>
#include <shmem.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/shmem/heap.h"
#include "transport/transport.h"

static void (*library_advance)(void); /* NULL: nothing to do */
static uint64_t *rests;               /* at PE 0 [PE]: how often it has come to rest, symmetric */
static uint64_t *told;                /* how often PE 0 said that all have, symmetric */
static uint64_t *rested;              /* at PE 0 [PE]: as often as it was waited for */

static bool all_are_reached(void)
{
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        if (!shmem_ptr(rests, pe))
            return false;
    return true;
}

void advance_open(void)
{
    const size_t pes = (size_t)shmem_n_pes();
    rests = heap_allocate((pes + 1) * sizeof *rests, "rests");
    memset(rests, 0, (pes + 1) * sizeof *rests);
    told = rests + pes;
    rested = calloc(pes, sizeof *rested);
    if (!rested)
        shmem_fail("no memory", "rests");
    void *const found = all_are_reached() ? NULL : dlsym(RTLD_DEFAULT, "opal_progress");
    memcpy(&library_advance, &found, sizeof found); /* ISO C converts no pointer to a function's */
}

void advance_library(void)
{
    if (library_advance)
        library_advance();
}

static void wait_for(uint64_t *word, uint64_t value)
{
    while (!shmem_ulong_test(word, SHMEM_CMP_EQ, value))
        advance_library();
}

/* What says so are plain puts, which nobody waits for. */
void tp_rest(int participants)
{
    if (!library_advance || participants == 1)
        return;
    const int me = shmem_my_pe();
    shmem_quiet();
    rested[me]++;
    if (me > 0) {
        shmem_ulong_p(&rests[me], rested[me], 0);
        wait_for(told, rested[me]);
        return;
    }
    for (int pe = 1; pe < participants; pe++)
        wait_for(&rests[pe], ++rested[pe]);
    for (int pe = 1; pe < participants; pe++)
        shmem_ulong_p(told, rested[pe], pe);
}
