/** Collectives that are over when the call that starts them returns. */
#include "backends/trace/log.h"
#include "transport/transport.h"

#define WHEN_STARTED(name, of) const char tp_##name##_algorithm[] = of " when started"

WHEN_STARTED(ibarrier, "barrier");
WHEN_STARTED(ibcast, "bcast");
WHEN_STARTED(iallreduce, "allreduce");
WHEN_STARTED(iallgather, "allgather");
WHEN_STARTED(ialltoall, "alltoall");

void tp_ibarrier(int slot)
{
    (void)slot;
    log_enter("ibarrier", tp_barrier_algorithm);
    tp_barrier();
    log_leave();
}

void tp_ibcast(void *buffer, size_t bytes, int root, int slot)
{
    (void)slot;
    log_enter("ibcast", tp_bcast_algorithm);
    tp_bcast(buffer, bytes, root);
    log_leave();
}

void tp_iallreduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op,
                   int slot)
{
    (void)slot;
    log_enter("iallreduce", tp_allreduce_algorithm);
    tp_allreduce(from, to, count, type, op);
    log_leave();
}

void tp_iallgather(const void *from, void *to, size_t bytes, int slot)
{
    (void)slot;
    log_enter("iallgather", tp_allgather_algorithm);
    tp_allgather(from, to, bytes);
    log_leave();
}

void tp_ialltoall(const void *from, void *to, size_t bytes, int slot)
{
    (void)slot;
    log_enter("ialltoall", tp_alltoall_algorithm);
    tp_alltoall(from, to, bytes);
    log_leave();
}
