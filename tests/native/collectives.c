/**
 * Checks that a backend's collectives leave what transport.h says, over as many ranks as it is
 * started on, from every root, next to guard bytes. A difference is named on stderr and ends the
 * rank with status 1. Where messages carry no payload (null) only the calls are made.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transport/transport.h"

enum { MOST_BLOCK_BYTES = 100001, GUARD_BYTES = 16, GUARD = 0x5a };

static const size_t SIZES[] = {0, 1, 7, 8, 48, 49, 4096, 65537, MOST_BLOCK_BYTES};
static const size_t COUNTS[] = {0, 1, 3, 64, 1000, 12500};

static const char *operation;
static int rank, size;
static unsigned char *out, *in;

static void require(bool holds, size_t bytes, size_t at, int64_t seen, int64_t expected)
{
    if (holds || !tp_carries_payload)
        return;
    fprintf(stderr,
            "%s, rank %d of %d over %s, blocks of %zu: at %zu %" PRId64 ", not %" PRId64 "\n",
            operation, rank, size, tp_backend, bytes, at, seen, expected);
    exit(EXIT_FAILURE);
}

static unsigned char byte_at(int from, int to, size_t i)
{
    return (unsigned char)((i * 31 + (size_t)from * 7 + (size_t)to * 13) % 251);
}

static void prepare(size_t bytes, int to_step)
{
    memset(in, GUARD, bytes * (size_t)size + GUARD_BYTES);
    for (int block = 0; block < size; block++)
        for (size_t i = 0; i < bytes; i++)
            out[(size_t)block * bytes + i] = byte_at(rank, block * to_step, i);
}

static void require_block(size_t bytes, int block, int from, int to)
{
    const unsigned char *at = in + (size_t)block * bytes;
    for (size_t i = 0; i < bytes; i++)
        require(at[i] == byte_at(from, to, i), bytes, i, at[i], byte_at(from, to, i));
}

static void require_guard(size_t bytes, int blocks)
{
    for (size_t i = 0; i < GUARD_BYTES; i++)
        require(in[bytes * (size_t)blocks + i] == GUARD, bytes, bytes * (size_t)blocks + i,
                in[bytes * (size_t)blocks + i], GUARD);
}

static void check_rooted(size_t bytes, int root)
{
    operation = "gather";
    prepare(bytes, 0);
    tp_gather(out, in, bytes, root);
    for (int peer = 0; peer < size && rank == root; peer++)
        require_block(bytes, peer, peer, 0);
    require_guard(bytes, rank == root ? size : 0);

    operation = "scatter";
    prepare(bytes, 1);
    tp_scatter(out, in, bytes, root);
    require_block(bytes, 0, root, rank);
    require_guard(bytes, 1);
}

static void check_all_to_all(size_t bytes)
{
    operation = "allgather";
    prepare(bytes, 0);
    tp_allgather(out, in, bytes);
    for (int peer = 0; peer < size; peer++)
        require_block(bytes, peer, peer, 0);
    require_guard(bytes, size);

    operation = "alltoall";
    prepare(bytes, 1);
    tp_alltoall(out, in, bytes);
    for (int peer = 0; peer < size; peer++)
        require_block(bytes, peer, peer, rank);
    require_guard(bytes, size);
}

/* Whole numbers, so that sums of doubles are exact in any order; the largest isn't always the
   last rank's. */
static int64_t element(int of_rank, size_t i)
{
    return (int64_t)(i % 97 + 1) * ((of_rank * 5 + 3) % 7 - 3);
}

static int64_t combined(size_t i, int ranks, enum tp_op op)
{
    int64_t result = element(0, i);
    for (int r = 1; r < ranks; r++) {
        const int64_t other = element(r, i);
        result = op == TP_SUM ? result + other : other > result ? other : result;
    }
    return result;
}

static void prepare_elements(size_t count, int blocks, enum tp_type type)
{
    memset(in, GUARD, count * 8 + GUARD_BYTES);
    for (size_t i = 0; i < count * (size_t)blocks; i++)
        if (type == TP_DOUBLE)
            ((double *)out)[i] = (double)element(rank, i);
        else
            ((int64_t *)out)[i] = element(rank, i);
}

/* The combination of ranks 0 .. ranks - 1, of elements `first` and on. */
static void require_elements(size_t count, size_t first, int ranks, enum tp_type type,
                             enum tp_op op)
{
    for (size_t i = 0; i < count; i++) {
        const int64_t seen = type == TP_DOUBLE ? (int64_t)((double *)in)[i] : ((int64_t *)in)[i];
        const int64_t expected = combined(first + i, ranks, op);
        require(seen == expected, count * 8, i, seen, expected);
    }
    require_guard(count * 8, 1);
}

static void check_reductions(size_t count, enum tp_type type, enum tp_op op)
{
    for (int root = 0; root < size; root++) {
        operation = "reduce";
        prepare_elements(count, 1, type);
        tp_reduce(out, in, count, type, op, root);
        if (rank == root)
            require_elements(count, 0, size, type, op);
        else
            require_guard(0, 1);
    }
    operation = "reduce_scatter";
    prepare_elements(count, size, type);
    tp_reduce_scatter(out, in, count, type, op);
    require_elements(count, (size_t)rank * count, size, type, op);

    operation = "scan";
    prepare_elements(count, 1, type);
    tp_scan(out, in, count, type, op);
    require_elements(count, 0, rank + 1, type, op);

    operation = "exscan";
    prepare_elements(count, 1, type);
    tp_exscan(out, in, count, type, op);
    if (rank > 0)
        require_elements(count, 0, rank, type, op);
}

int main(int argc, char **argv)
{
    tp_init(&argc, &argv);
    rank = tp_rank();
    size = tp_size();
    out = tp_allocate((size_t)size * MOST_BLOCK_BYTES + GUARD_BYTES);
    in = tp_allocate((size_t)size * MOST_BLOCK_BYTES + GUARD_BYTES);
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        for (int root = 0; root < size; root++)
            check_rooted(SIZES[i], root);
        check_all_to_all(SIZES[i]);
    }
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++)
        for (enum tp_type type = TP_DOUBLE; type <= TP_INT64; type++)
            for (enum tp_op op = TP_SUM; op <= TP_MAX; op++)
                check_reductions(COUNTS[i], type, op);
    tp_release(out);
    tp_release(in);
    tp_finalize();
    return EXIT_SUCCESS;
}
