/** Absent: needs a library or memory that lets a rank reach another's. */
#include "fallback/absent.h"

ABSENT_ALGORITHM(put);
ABSENT_ALGORITHM(get);
ABSENT_ALGORITHM(put_flag);
ABSENT_ALGORITHM(fetch_add);
ABSENT_ALGORITHM(compare_swap);

ABSENT(void *, symmetric_block, (size_t bytes))
ABSENT(void, symmetric_sync, (void))
ABSENT(void, put, (void *to, const void *from, size_t bytes, int peer))
ABSENT(void, put_start, (void *to, const void *from, size_t bytes, int peer))
ABSENT(void, get, (void *to, const void *from, size_t bytes, int peer))
ABSENT(void, get_start, (void *to, const void *from, size_t bytes, int peer))
ABSENT(void, quiet, (void))
ABSENT(void, put_flag,
       (void *to, const void *from, size_t bytes, uint64_t *flag, uint64_t value, int peer))
ABSENT(void, wait_until, (const uint64_t *flag, uint64_t value))
ABSENT(uint64_t, fetch_add, (uint64_t *word, uint64_t value, int peer))
ABSENT(uint64_t, compare_swap, (uint64_t *word, uint64_t expected, uint64_t value, int peer))
