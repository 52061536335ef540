/**
 * Checks that a backend's vector and neighbour operations leave what transport/collective.h says,
 * over as many ranks as it is started on, from every root, next to guard bytes. A difference is
 * named on stderr and ends the rank with status 1. Where messages carry no payload (null) only the
 * calls are made.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transport/transport.h"

enum { MOST_RANKS = 16, MOST_STEP = 20001, GUARD_BYTES = 16, GUARD = 0x5a };

/* Blocks are multiples of a step long: rank r has (r * 3 + 2) % 5 of them, rank 1 none. */
static const size_t STEPS[] = {0, 1, 8, 65, 4096, MOST_STEP};

static const char *operation;
static int rank, size;
static unsigned char *out, *in;
static size_t counts[MOST_RANKS], displacements[MOST_RANKS];

static void require(bool holds, size_t at, int64_t seen, int64_t expected)
{
    if (holds || !tp_carries_payload)
        return;
    fprintf(stderr, "%s, rank %d of %d over %s: at %zu %" PRId64 ", not %" PRId64 "\n", operation,
            rank, size, tp_backend, at, seen, expected);
    exit(EXIT_FAILURE);
}

static unsigned char byte_at(int from, int to, size_t i)
{
    return (unsigned char)((i * 31 + (size_t)from * 7 + (size_t)to * 13) % 251);
}

static void fill(size_t start, size_t bytes, int to)
{
    for (size_t i = 0; i < bytes; i++)
        out[start + i] = byte_at(rank, to, i);
}

static void require_block(size_t start, size_t bytes, int from, int to)
{
    for (size_t i = 0; i < bytes; i++)
        require(in[start + i] == byte_at(from, to, i), start + i, in[start + i],
                byte_at(from, to, i));
}

static void spoil(void)
{
    memset(in, GUARD, (size_t)size * 5 * MOST_STEP + GUARD_BYTES);
}

static void require_guard(size_t end)
{
    for (size_t i = end; i < end + GUARD_BYTES; i++)
        require(in[i] == GUARD, i, in[i], GUARD);
}

static size_t length(int of_rank, size_t step)
{
    return (size_t)((of_rank * 3 + 2) % 5) * step;
}

/* Blocks in the reverse order of the ranks, with a gap of one byte behind each. */
static struct tp_layout *reversed(size_t step)
{
    size_t end = 0;
    for (int r = size - 1; r >= 0; r--) {
        counts[r] = length(r, step);
        displacements[r] = end;
        end += counts[r] + 1;
    }
    return tp_layout_make(counts, displacements);
}

static void check_gatherv(size_t step, int root)
{
    struct tp_layout *blocks = reversed(step);
    operation = "gatherv";
    spoil();
    fill(0, counts[rank], 0);
    tp_gatherv(out, in, blocks, root);
    for (int peer = 0; peer < size && rank == root; peer++) {
        require_block(displacements[peer], counts[peer], peer, 0);
        require(in[displacements[peer] + counts[peer]] == GUARD, 0, 0, GUARD);
    }
    if (rank != root)
        require_guard(0);

    operation = "scatterv";
    spoil();
    for (int peer = 0; peer < size; peer++)
        fill(displacements[peer], counts[peer], peer);
    tp_scatterv(out, blocks, in, root);
    require_block(0, counts[rank], root, rank);
    require_guard(counts[rank]);
    tp_layout_free(blocks);
}

static void check_allgatherv(size_t step)
{
    struct tp_layout *blocks = reversed(step);
    operation = "allgatherv";
    spoil();
    fill(0, counts[rank], 0);
    tp_allgatherv(out, in, blocks);
    for (int peer = 0; peer < size; peer++) {
        require_block(displacements[peer], counts[peer], peer, 0);
        require(in[displacements[peer] + counts[peer]] == GUARD, 0, 0, GUARD);
    }
    tp_layout_free(blocks);
}

/* What q sends to r is as long as rank q + 2 r's block is above. */
static void check_alltoallv(size_t step)
{
    size_t end = 0;
    struct tp_layout *sent, *received;
    operation = "alltoallv";
    spoil();
    for (int peer = 0; peer < size; peer++, end += counts[peer - 1]) {
        counts[peer] = length(rank + 2 * peer, step);
        displacements[peer] = end;
        fill(end, counts[peer], peer);
    }
    sent = tp_layout_make(counts, displacements);
    end = 0;
    for (int peer = 0; peer < size; peer++, end += counts[peer - 1]) {
        counts[peer] = length(peer + 2 * rank, step);
        displacements[peer] = end;
    }
    received = tp_layout_make(counts, displacements);
    tp_alltoallv(out, sent, in, received);
    for (int peer = 0; peer < size; peer++)
        require_block(displacements[peer], counts[peer], peer, rank);
    require_guard(end);
    tp_layout_free(sent);
    tp_layout_free(received);
}

static void check_reduce_scatterv(size_t step, enum tp_op op)
{
    int64_t *elements = (int64_t *)(void *)out;
    const int64_t *results = (const int64_t *)(const void *)in;
    size_t end = 0;
    operation = "reduce_scatterv";
    spoil();
    for (int r = 0; r < size; r++, end += counts[r - 1]) {
        counts[r] = length(r, step / 8);
        displacements[r] = end;
    }
    for (size_t i = 0; i < end; i++)
        elements[i] = (int64_t)i * (rank + 1);
    struct tp_layout *blocks = tp_layout_make(counts, displacements);
    tp_reduce_scatterv(out, blocks, in, TP_INT64, op);
    for (size_t i = 0; i < counts[rank]; i++) {
        const int64_t largest = (int64_t)(displacements[rank] + i) * size;
        const int64_t expected = op == TP_MAX ? largest : largest * (size + 1) / 2;
        require(results[i] == expected, i, results[i], expected);
    }
    require_guard(counts[rank] * 8);
    tp_layout_free(blocks);
}

static void check_neighbours(size_t bytes)
{
    const struct tp_grid *grid = tp_grid();
    const int neighbours = 2 * grid->dimensions;
    operation = "neighbor_allgather";
    spoil();
    fill(0, bytes, 0);
    tp_neighbor_allgather(out, in, bytes);
    for (int i = 0; i < neighbours; i++)
        require_block((size_t)i * bytes, bytes, grid->neighbour[i], 0);
    require_guard((size_t)neighbours * bytes);

    operation = "neighbor_alltoall";
    spoil();
    for (int i = 0; i < neighbours; i++)
        fill((size_t)i * bytes, bytes, i);
    tp_neighbor_alltoall(out, in, bytes);
    for (int i = 0; i < neighbours; i++) {
        const bool either = grid->neighbour[i] == grid->neighbour[i ^ 1];
        const bool kept =
            either && bytes > 0 && in[(size_t)i * bytes] == byte_at(grid->neighbour[i], i, 0);
        require_block((size_t)i * bytes, bytes, grid->neighbour[i], kept ? i : i ^ 1);
    }
    require_guard((size_t)neighbours * bytes);
}

/* As nearly square as can be, and everybody is the neighbour of their neighbours. */
static void check_grid(void)
{
    const struct tp_grid *grid = tp_grid();
    operation = "grid";
    const int rows = grid->extents[0], columns = grid->extents[1];
    require(rows * columns == size && rows >= columns, 0, rows * columns, size);
    for (int side = columns + 1; side * side <= size; side++)
        require(size % side != 0, 0, columns, side);
    require((columns == 1) == (grid->dimensions == 1), 0, grid->dimensions, 1 + (columns > 1));
}

int main(int argc, char **argv)
{
    tp_init(&argc, &argv);
    rank = tp_rank();
    size = tp_size();
    const size_t room = (size_t)(size > 2 ? size : 2) * 5 * MOST_STEP + MOST_RANKS + GUARD_BYTES;
    out = tp_allocate(room);
    in = tp_allocate(room);
    check_grid();
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS; i++) {
        for (int root = 0; root < size; root++)
            check_gatherv(STEPS[i], root);
        check_allgatherv(STEPS[i]);
        check_alltoallv(STEPS[i]);
        check_reduce_scatterv(STEPS[i], TP_SUM);
        check_reduce_scatterv(STEPS[i], TP_MAX);
        check_neighbours(STEPS[i]);
    }
    tp_release(out);
    tp_release(in);
    tp_finalize();
    return EXIT_SUCCESS;
}
