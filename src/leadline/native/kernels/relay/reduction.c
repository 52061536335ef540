#include "relay/reduction.h"

#include <string.h>

#include "channel/batches.h"

static int64_t least(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

static int64_t largest(int64_t one, int64_t other)
{
    return one > other ? one : other;
}

static struct batch batch_at(const void *batches, size_t number)
{
    struct batch batch;
    memcpy(&batch, (const char *)batches + number * sizeof batch, sizeof batch);
    return batch;
}

static struct reduced of_one(struct batch batch, int rank)
{
    return (struct reduced){
        .start_ns = batch.start_ns,
        .end_ns = batch.end_ns,
        .flags = batch.flags,
        .slowest = rank,
        .shortest_ns = batch.end_ns - batch.start_ns,
        .first_start_ns = batch.start_ns,
        .last_start_ns = batch.start_ns,
        .first_end_ns = batch.end_ns,
        .last_end_ns = batch.end_ns,
        .lowest_rank_start_ns = batch.start_ns,
    };
}

static void add(struct reduced *row, struct batch batch, int rank)
{
    const int64_t elapsed = batch.end_ns - batch.start_ns;
    if (elapsed > row->end_ns - row->start_ns) {
        row->start_ns = batch.start_ns;
        row->end_ns = batch.end_ns;
        row->slowest = rank;
    }
    row->flags |= batch.flags;
    row->shortest_ns = least(row->shortest_ns, elapsed);
    row->first_start_ns = least(row->first_start_ns, batch.start_ns);
    row->last_start_ns = largest(row->last_start_ns, batch.start_ns);
    row->first_end_ns = least(row->first_end_ns, batch.end_ns);
    row->last_end_ns = largest(row->last_end_ns, batch.end_ns);
}

void reduction_begin(struct reduced *rows, size_t count, int rank, const void *batches)
{
    for (size_t i = 0; i < count; i++)
        rows[i] = of_one(batch_at(batches, i), rank);
}

void reduction_add(struct reduced *rows, size_t count, int rank, const void *batches)
{
    for (size_t i = 0; i < count; i++)
        add(&rows[i], batch_at(batches, i), rank);
}
