/**
 * What an operation is that makes no sense over a backend: a string that says so, by which patterns
 * are left out, and a function that ends the rank, for nobody calls it.
 *
 * Compiled once for each group, with GROUP_... defined (kernels/build.py), as libgcc is from
 * libgcc2.c: each group is an archive member, which the linker takes in where the backend lacks any
 * of it. What the backend has of it would then be defined twice: so it brings a group whole or not
 * at all. Weak symbols in one object would fill the gaps of half a group without a word.
 */
#include <stdio.h>
#include <stdlib.h>

#include "transport/transport.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

/** The string that goes with an operation, or with a group of them. */
#define ABSENT_ALGORITHM(name) const char tp_##name##_algorithm[] = "absent"

/** tp_NAME, whose parameters nobody looks at. */
#define ABSENT(result, name, parameters)                                                           \
    result tp_##name parameters                                                                    \
    {                                                                                              \
        end_for_want_of(#name);                                                                    \
    }

/* Inline, for some groups have nothing to call. */
static inline _Noreturn void end_for_want_of(const char *operation)
{
    fprintf(stderr, "leadline kernel: %s is absent over %s\n", operation, tp_backend);
    abort();
}

/* Needs memory that all ranks share. */
#ifdef GROUP_barrier_counter
ABSENT_ALGORITHM(barrier_counter);

ABSENT(void, barrier_counter, (void))
#endif

/* Needs memory that all ranks share. */
#ifdef GROUP_barrier_futex
ABSENT_ALGORITHM(barrier_futex);

ABSENT(void, barrier_futex, (void))
#endif

/* Nothing is ever under way where no operation is started without being waited for. */
#ifdef GROUP_requests
ABSENT_ALGORITHM(isend);

ABSENT(void, isend, (const void *from, size_t bytes, int peer, int tag, int slot))
ABSENT(void, irecv, (void *to, size_t bytes, int peer, int tag, int slot))
ABSENT(void, wait, (int slot))
ABSENT(void, waitall, (int first, int count))
ABSENT(bool, test, (int slot))
#endif

/* Receives that find their messages in another order than they came. */
#ifdef GROUP_matching
ABSENT_ALGORITHM(matching);

ABSENT(int, recv_any, (void *to, size_t bytes, int tag))
#endif

/* A send that learns of its receive. */
#ifdef GROUP_ssend
ABSENT_ALGORITHM(ssend);

ABSENT(void, ssend, (const void *from, size_t bytes, int peer, int tag))
#endif

/* Sends through a buffer of the caller's. */
#ifdef GROUP_bsend
ABSENT_ALGORITHM(bsend);

ABSENT(void, buffer_attach, (size_t bytes))
ABSENT(void, buffer_detach, (void))
ABSENT(void, bsend, (const void *from, size_t bytes, int peer, int tag))
#endif

/* Operations that are prepared once and started many times. */
#ifdef GROUP_persistent
ABSENT_ALGORITHM(persistent);

ABSENT(void, send_init, (const void *from, size_t bytes, int peer, int tag, int slot))
ABSENT(void, recv_init, (void *to, size_t bytes, int peer, int tag, int slot))
ABSENT(void, start, (int slot))
ABSENT(void, persistent_free, (int slot))
#endif

/* A transport of bytes knows no datatypes; who sends by one packs by hand. */
#ifdef GROUP_datatypes
ABSENT_ALGORITHM(datatype);

ABSENT(void, send_datatype, (const void *from, const struct tp_datatype *type, int peer, int tag))
ABSENT(void, recv_datatype, (void *to, const struct tp_datatype *type, int peer, int tag))

struct tp_datatype *tp_datatype_make(enum tp_form form, size_t elements)
{
    return NULL;
}

void tp_datatype_free(struct tp_datatype *type)
{
}
#endif

/* What is sent needs no packing. */
#ifdef GROUP_pack
ABSENT_ALGORITHM(pack);

ABSENT(void, pack, (const void *from, size_t bytes))
ABSENT(void, send_packed, (int peer, int tag))
ABSENT(void, recv_packed, (size_t bytes, int peer, int tag))
ABSENT(void, unpack, (void *to, size_t bytes))
#endif

/* A collective that goes on while its callers compute needs the library's own progress. */
#ifdef GROUP_nonblocking
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
#endif

/* Needs a library or memory that lets a rank reach another's. */
#ifdef GROUP_one_sided
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
#endif

/* Each pair of ranks has one queue, which one thread at a time may use. */
#ifdef GROUP_threads
ABSENT_ALGORITHM(threads);

bool tp_threads_granted(void)
{
    return false;
}
#endif

/* Calls aren't written down where they are timed. */
#ifdef GROUP_tracing
ABSENT_ALGORITHM(tracing);

ABSENT(void, trace_begin, (void))
ABSENT(void, trace_work, (size_t flop, size_t bytes))
ABSENT(struct tp_log, trace_end, (void))
#endif

/* Each rank is a process, and time goes by itself. */
#ifdef GROUP_simulation
ABSENT_ALGORITHM(simulation);

ABSENT(int64_t, now_ns, (void))
ABSENT(void, sleep_ns, (int64_t ns))
#endif
