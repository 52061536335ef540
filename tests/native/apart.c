/**
 * Ranks that go on one after the other where they were to begin together, for tests of what tells
 * batches that didn't contend: linked in with "-Wl,--wrap=sync_barrier".
 */
#include <time.h>

#include "engine/sync.h"
#include "transport/transport.h"

enum { PAUSE_NS = 1000000 }; /* many times a batch's */

void __real_sync_barrier(int participants);
void __wrap_sync_barrier(int participants);

void __wrap_sync_barrier(int participants)
{
    __real_sync_barrier(participants);
    nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS * tp_rank()}, NULL);
}
