/** Absent: a collective that goes on while its callers compute needs the library's own progress. */
#include "fallback/absent.h"

ABSENT_ALGORITHM(ibarrier);
ABSENT_ALGORITHM(ibcast);
ABSENT_ALGORITHM(iallreduce);
ABSENT_ALGORITHM(iallgather);
ABSENT_ALGORITHM(ialltoall);

ABSENT(void, ibarrier, (int slot))
ABSENT(void, ibcast, (void *buffer, size_t bytes, int root, int slot))
ABSENT(void, iallreduce,
       (const void *from, void *to, size_t count, enum tp_type type, enum tp_op op, int slot))
ABSENT(void, iallgather, (const void *from, void *to, size_t bytes, int slot))
ABSENT(void, ialltoall, (const void *from, void *to, size_t bytes, int slot))
