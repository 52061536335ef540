/**
 * The log names the collective that a call belongs to. The collectives themselves, and what adds up
 * in them, are the fallbacks': the linker leads calls of them through here (--wrap=tp_bcast ...).
 */
#include "backends/trace/log.h"
#include "transport/transport.h"

/* -- by a blocking call ------------------------------------------------------------------------ */

#define NAMED(name, parameters, ...)                                                               \
    void __real_tp_##name parameters;                                                              \
    void __wrap_tp_##name parameters;                                                              \
    void __wrap_tp_##name parameters                                                               \
    {                                                                                              \
        log_enter(#name, tp_##name##_algorithm);                                                   \
        __real_tp_##name(__VA_ARGS__);                                                             \
        log_leave();                                                                               \
    }

NAMED(barrier, (void))
NAMED(barrier_dissemination, (void))
NAMED(bcast, (void *buffer, size_t bytes, int root), buffer, bytes, root)
NAMED(gather, (const void *from, void *to, size_t bytes, int root), from, to, bytes, root)
NAMED(scatter, (const void *from, void *to, size_t bytes, int root), from, to, bytes, root)
NAMED(allgather, (const void *from, void *to, size_t bytes), from, to, bytes)
NAMED(alltoall, (const void *from, void *to, size_t bytes), from, to, bytes)
NAMED(neighbor_allgather, (const void *from, void *to, size_t bytes), from, to, bytes)
NAMED(neighbor_alltoall, (const void *from, void *to, size_t bytes), from, to, bytes)
NAMED(gatherv, (const void *from, void *to, const struct tp_layout *blocks, int root), from, to,
      blocks, root)
NAMED(scatterv, (const void *from, const struct tp_layout *blocks, void *to, int root), from,
      blocks, to, root)
NAMED(allgatherv, (const void *from, void *to, const struct tp_layout *blocks), from, to, blocks)
NAMED(alltoallv,
      (const void *from, const struct tp_layout *sent, void *to, const struct tp_layout *received),
      from, sent, to, received)

/* Reductions. */
NAMED(allreduce, (const void *from, void *to, size_t count, enum tp_type type, enum tp_op op), from,
      to, count, type, op)
NAMED(reduce,
      (const void *from, void *to, size_t count, enum tp_type type, enum tp_op op, int root), from,
      to, count, type, op, root)
NAMED(reduce_scatter, (const void *from, void *to, size_t count, enum tp_type type, enum tp_op op),
      from, to, count, type, op)
NAMED(reduce_scatterv,
      (const void *from, const struct tp_layout *blocks, void *to, enum tp_type type,
       enum tp_op op),
      from, blocks, to, type, op)
NAMED(scan, (const void *from, void *to, size_t count, enum tp_type type, enum tp_op op), from, to,
      count, type, op)
NAMED(exscan, (const void *from, void *to, size_t count, enum tp_type type, enum tp_op op), from,
      to, count, type, op)

enum { ELEMENT_BYTES = 8, TOUCHED = 3 /* elements for each result: two are read, one written */ };

void __real_combine(void *into, const void *other, size_t count, enum tp_type type, enum tp_op op);
void __wrap_combine(void *into, const void *other, size_t count, enum tp_type type, enum tp_op op);

void __wrap_combine(void *into, const void *other, size_t count, enum tp_type type, enum tp_op op)
{
    __real_combine(into, other, count, type, op);
    tp_trace_work(count, TOUCHED * ELEMENT_BYTES * count);
}

/* -- non-blocking ------------------------------------------------------------------------------ */

/* Collectives that are over when the call that starts them returns. */

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
