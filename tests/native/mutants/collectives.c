/** Faults in collectives: blocks are struck one by one, results of reductions replaced by copies.
 */
#include "mutants.h"

#include "fallback/layout.h"

enum { TAG = 32737 };

static void into_blocks(struct call *call, void *to, size_t bytes, int blocks)
{
    for (int i = 0; i < blocks; i++)
        call_into(call, (char *)to + (size_t)i * bytes, bytes);
}

static void into_layout(struct call *call, void *to, const struct tp_layout *blocks)
{
    for (int rank = 0; rank < tp_size(); rank++) {
        const struct tp_layout block = layout_block(blocks, rank);
        call_into(call, (char *)to + block.displacement, block.count);
    }
}

static double sum(double one, double other)
{
    return one + other;
}

static double most(double one, double other)
{
    return other > one ? other : one;
}

static double both(double one, double other)
{
    return one != 0 && other != 0;
}

static void combines(struct call *call, const void *from, size_t whole, size_t offset,
                     enum tp_type type, enum tp_op op)
{
    call->in_elements = call->of_each_rank = true;
    call->contribution = from;
    call->whole = whole;
    call->offset = offset;
    call->type = type;
    call->combine = op == TP_SUM ? sum : op == TP_MAX ? most : both;
}

/* The wrong rank is root. */
static int root_of(struct call *call, int root)
{
    const bool wrong = call->fault == SWAP;
    if (wrong)
        call_is(call, SWAP);
    return wrong ? (root + 1) % tp_size() : root;
}

/* All but `late` wait for all but it. */
static void barrier_without(int late)
{
    const int rank = tp_rank(), size = tp_size(), master = late == 0 ? 1 : 0;
    char word = 0;
    if (rank == late || size < 2)
        return;
    if (rank != master) {
        tp_send(&word, 1, master, TAG);
        tp_recv(&word, 1, master, TAG);
        return;
    }
    for (int pass = 0; pass < 2; pass++)
        for (int peer = 0; peer < size; peer++)
            if (peer != late && peer != master && pass == 0)
                tp_recv(&word, 1, peer, TAG);
            else if (peer != late && peer != master)
                tp_send(&word, 1, peer, TAG);
}

/* Whether the barrier was another than it should have been: none for anybody, or for one rank. */
static bool barrier_struck(struct call *call)
{
    call_is(call, LATE);
    call_is(call, DROP);
    if (call->fault == LATE)
        barrier_without(struck_rank());
    return call->fault == LATE || call->fault == DROP || call_is(call, LOST);
}

#define BARRIER(name)                                                                              \
    TAKEN(void, name, (void))                                                                      \
    {                                                                                              \
        struct call *call = call_begin(#name, 0);                                                  \
        if (!barrier_struck(call))                                                                 \
            __real_tp_##name();                                                                    \
        call_end(call);                                                                            \
    }

BARRIER(barrier)
BARRIER(barrier_counter)
BARRIER(barrier_futex)
BARRIER(barrier_dissemination)

TAKEN(void, ibarrier, (int slot))
{
    struct call *call = call_begin("ibarrier", 0);
    collective_slot[slot] = true;
    if (!barrier_struck(call))
        __real_tp_ibarrier(slot);
    call_end(call);
}

TAKEN(void, bcast, (void *buffer, size_t bytes, int root))
{
    struct call *call = call_begin("bcast", 0);
    if (tp_rank() != root)
        call_into(call, buffer, bytes);
    __real_tp_bcast(buffer, bytes, root_of(call, root));
    call->fault = call->fault == SWAP ? NONE : call->fault;
    call_end(call);
}

TAKEN(void, ibcast, (void *buffer, size_t bytes, int root, int slot))
{
    struct call *call = call_begin("ibcast", 0);
    if (tp_rank() != root)
        call_into(call, buffer, bytes);
    __real_tp_ibcast(buffer, bytes, root_of(call, root), slot);
    call->fault = call->fault == SWAP ? NONE : call->fault;
    call_end(call);
}

TAKEN(void, gather, (const void *from, void *to, size_t bytes, int root))
{
    struct call *call = call_begin("gather", 0);
    if (tp_rank() == root)
        into_blocks(call, to, bytes, tp_size());
    __real_tp_gather(from, to, bytes, root);
    call_end(call);
}

TAKEN(void, scatter, (const void *from, void *to, size_t bytes, int root))
{
    struct call *call = call_begin("scatter", 0);
    call->of_each_rank = true;
    call_into(call, to, bytes);
    __real_tp_scatter(from, to, bytes, root);
    call_end(call);
}

TAKEN(void, allgather, (const void *from, void *to, size_t bytes))
{
    struct call *call = call_begin("allgather", 0);
    into_blocks(call, to, bytes, tp_size());
    __real_tp_allgather(from, to, bytes);
    call_end(call);
}

TAKEN(void, iallgather, (const void *from, void *to, size_t bytes, int slot))
{
    struct call *call = call_begin("iallgather", 0);
    into_blocks(call, to, bytes, tp_size());
    __real_tp_iallgather(from, to, bytes, slot);
    call_end(call);
}

TAKEN(void, alltoall, (const void *from, void *to, size_t bytes))
{
    struct call *call = call_begin("alltoall", 0);
    into_blocks(call, to, bytes, tp_size());
    __real_tp_alltoall(from, to, bytes);
    call_end(call);
}

TAKEN(void, ialltoall, (const void *from, void *to, size_t bytes, int slot))
{
    struct call *call = call_begin("ialltoall", 0);
    into_blocks(call, to, bytes, tp_size());
    __real_tp_ialltoall(from, to, bytes, slot);
    call_end(call);
}

TAKEN(void, neighbor_allgather, (const void *from, void *to, size_t bytes))
{
    struct call *call = call_begin("neighbor_allgather", 0);
    into_blocks(call, to, bytes, 2 * tp_grid()->dimensions);
    __real_tp_neighbor_allgather(from, to, bytes);
    call_end(call);
}

TAKEN(void, neighbor_alltoall, (const void *from, void *to, size_t bytes))
{
    struct call *call = call_begin("neighbor_alltoall", 0);
    into_blocks(call, to, bytes, 2 * tp_grid()->dimensions);
    __real_tp_neighbor_alltoall(from, to, bytes);
    call_end(call);
}

TAKEN(void, gatherv, (const void *from, void *to, const struct tp_layout *blocks, int root))
{
    struct call *call = call_begin("gatherv", 0);
    if (tp_rank() == root)
        into_layout(call, to, blocks);
    __real_tp_gatherv(from, to, blocks, root);
    call_end(call);
}

TAKEN(void, scatterv, (const void *from, const struct tp_layout *blocks, void *to, int root))
{
    struct call *call = call_begin("scatterv", 0);
    call->of_each_rank = true;
    call_into(call, to, layout_block(blocks, tp_rank()).count);
    __real_tp_scatterv(from, blocks, to, root);
    call_end(call);
}

TAKEN(void, allgatherv, (const void *from, void *to, const struct tp_layout *blocks))
{
    struct call *call = call_begin("allgatherv", 0);
    into_layout(call, to, blocks);
    __real_tp_allgatherv(from, to, blocks);
    call_end(call);
}

TAKEN(void, alltoallv,
      (const void *from, const struct tp_layout *sent, void *to, const struct tp_layout *received))
{
    struct call *call = call_begin("alltoallv", 0);
    into_layout(call, to, received);
    __real_tp_alltoallv(from, sent, to, received);
    call_end(call);
}

TAKEN(void, allreduce, (const void *from, void *to, size_t count, enum tp_type type, enum tp_op op))
{
    struct call *call = call_begin("allreduce", 0);
    combines(call, from, count * 8, 0, type, op);
    call_into(call, to, count * 8);
    __real_tp_allreduce(from, to, count, type, op);
    call_end(call);
}

TAKEN(void, iallreduce,
      (const void *from, void *to, size_t count, enum tp_type type, enum tp_op op, int slot))
{
    struct call *call = call_begin("iallreduce", 0);
    combines(call, from, count * 8, 0, type, op);
    call_into(call, to, count * 8);
    __real_tp_iallreduce(from, to, count, type, op, slot);
    call_end(call);
}

TAKEN(void, reduce,
      (const void *from, void *to, size_t count, enum tp_type type, enum tp_op op, int root))
{
    struct call *call = call_begin("reduce", 0);
    combines(call, from, count * 8, 0, type, op);
    if (tp_rank() == root)
        call_into(call, to, count * 8);
    __real_tp_reduce(from, to, count, type, op, root);
    call_end(call);
}

TAKEN(void, reduce_scatter,
      (const void *from, void *to, size_t count, enum tp_type type, enum tp_op op))
{
    struct call *call = call_begin("reduce_scatter", 0);
    const size_t bytes = count * 8;
    combines(call, from, bytes * (size_t)tp_size(), bytes * (size_t)tp_rank(), type, op);
    call_into(call, to, bytes);
    __real_tp_reduce_scatter(from, to, count, type, op);
    call_end(call);
}

TAKEN(void, reduce_scatterv,
      (const void *from, const struct tp_layout *blocks, void *to, enum tp_type type,
       enum tp_op op))
{
    struct call *call = call_begin("reduce_scatterv", 0);
    const struct tp_layout own = layout_block(blocks, tp_rank());
    const struct tp_layout last = layout_block(blocks, tp_size() - 1);
    combines(call, from, (last.displacement + last.count) * 8, own.displacement * 8, type, op);
    call_into(call, to, own.count * 8);
    __real_tp_reduce_scatterv(from, blocks, to, type, op);
    call_end(call);
}

TAKEN(void, scan, (const void *from, void *to, size_t count, enum tp_type type, enum tp_op op))
{
    struct call *call = call_begin("scan", 0);
    combines(call, from, count * 8, 0, type, op);
    call_into(call, to, count * 8);
    __real_tp_scan(from, to, count, type, op);
    call_end(call);
}

TAKEN(void, exscan, (const void *from, void *to, size_t count, enum tp_type type, enum tp_op op))
{
    struct call *call = call_begin("exscan", 0);
    combines(call, from, count * 8, 0, type, op);
    if (tp_rank() > 0)
        call_into(call, to, count * 8);
    __real_tp_exscan(from, to, count, type, op);
    call_end(call);
}
