/** Puts with flags that set off late, now this one and now that: who doesn't wait for each sees old
    memory, and who is fast must not overwrite what slow ranks have yet to read. */
#include <time.h>

#include "transport/transport.h"

enum { LATE_NS = 200 * 1000, EVERY = 5 };

void __real_tp_put_flag(void *to, const void *from, size_t bytes, uint64_t *flag, uint64_t value,
                        int peer);
void __wrap_tp_put_flag(void *to, const void *from, size_t bytes, uint64_t *flag, uint64_t value,
                        int peer);

void __wrap_tp_put_flag(void *to, const void *from, size_t bytes, uint64_t *flag, uint64_t value,
                        int peer)
{
    static int calls;
    const struct timespec late = {.tv_nsec = LATE_NS};
    if (calls++ % EVERY == tp_rank() % EVERY)
        nanosleep(&late, NULL);
    __real_tp_put_flag(to, from, bytes, flag, value, peer);
}
