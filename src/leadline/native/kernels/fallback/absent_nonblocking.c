/** Absent: a collective that goes on while its callers compute needs the library's own progress. */
#include <stdio.h>
#include <stdlib.h>

#include "transport/transport.h"

const char tp_ibarrier_algorithm[] = "absent";
const char tp_ibcast_algorithm[] = "absent";
const char tp_iallreduce_algorithm[] = "absent";
const char tp_iallgather_algorithm[] = "absent";
const char tp_ialltoall_algorithm[] = "absent";

static _Noreturn void absent(const char *operation)
{
    fprintf(stderr, "leadline kernel: %s is absent over %s\n", operation, tp_backend);
    abort();
}

void tp_ibarrier(int slot)
{
    (void)slot;
    absent("ibarrier");
}

void tp_ibcast(void *buffer, size_t bytes, int root, int slot)
{
    (void)buffer, (void)bytes, (void)root, (void)slot;
    absent("ibcast");
}

void tp_iallreduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op,
                   int slot)
{
    (void)from, (void)to, (void)count, (void)type, (void)op, (void)slot;
    absent("iallreduce");
}

void tp_iallgather(const void *from, void *to, size_t bytes, int slot)
{
    (void)from, (void)to, (void)bytes, (void)slot;
    absent("iallgather");
}

void tp_ialltoall(const void *from, void *to, size_t bytes, int slot)
{
    (void)from, (void)to, (void)bytes, (void)slot;
    absent("ialltoall");
}
