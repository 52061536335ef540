/** Raw shared memory: the limit that libraries on one host are measured against. */
#include <stdint.h>

#include "shm/segment.h"
#include "transport.h"

const char tp_backend[] = "shm";
const bool tp_carries_payload = true;
const size_t tp_max_message_bytes = SIZE_MAX / 2;

const char *tp_library(void)
{
    return "raw shared memory 1 (POSIX, double copy)";
}

void tp_init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    segment_attach();
    messages_open();
}

void tp_finalize(void)
{
    tp_barrier();
    segment_detach();
}

int tp_rank(void)
{
    return job.rank;
}

int tp_size(void)
{
    return job.ranks;
}
