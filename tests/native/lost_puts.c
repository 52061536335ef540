/**
 * One-sided operations that never reach another rank, for tests of validation: linked in with
 * "-Wl,--wrap=tp_put" and so on. Flags are set, so that nobody waits for ever.
 */
#include "transport/transport.h"

void __real_tp_put(void *to, const void *from, size_t bytes, int peer);
void __wrap_tp_put(void *to, const void *from, size_t bytes, int peer);
void __wrap_tp_put_start(void *to, const void *from, size_t bytes, int peer);
void __wrap_tp_get(void *to, const void *from, size_t bytes, int peer);
void __wrap_tp_get_start(void *to, const void *from, size_t bytes, int peer);
void __real_tp_put_flag(void *to, const void *from, size_t bytes, uint64_t *flag, uint64_t value,
                        int peer);
void __wrap_tp_put_flag(void *to, const void *from, size_t bytes, uint64_t *flag, uint64_t value,
                        int peer);
uint64_t __wrap_tp_fetch_add(uint64_t *word, uint64_t value, int peer);
uint64_t __wrap_tp_compare_swap(uint64_t *word, uint64_t expected, uint64_t value, int peer);

void __wrap_tp_put(void *to, const void *from, size_t bytes, int peer)
{
    if (peer == tp_rank())
        __real_tp_put(to, from, bytes, peer);
}

void __wrap_tp_put_start(void *to, const void *from, size_t bytes, int peer)
{
    (void)to, (void)from, (void)bytes, (void)peer;
}

void __wrap_tp_get(void *to, const void *from, size_t bytes, int peer)
{
    (void)to, (void)from, (void)bytes, (void)peer;
}

void __wrap_tp_get_start(void *to, const void *from, size_t bytes, int peer)
{
    (void)to, (void)from, (void)bytes, (void)peer;
}

void __wrap_tp_put_flag(void *to, const void *from, size_t bytes, uint64_t *flag, uint64_t value,
                        int peer)
{
    (void)bytes;
    __real_tp_put_flag(to, from, 0, flag, value, peer);
}

uint64_t __wrap_tp_fetch_add(uint64_t *word, uint64_t value, int peer)
{
    (void)word, (void)value, (void)peer;
    return 0;
}

uint64_t __wrap_tp_compare_swap(uint64_t *word, uint64_t expected, uint64_t value, int peer)
{
    (void)word, (void)value, (void)peer;
    return expected;
}
