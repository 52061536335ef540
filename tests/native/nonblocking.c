/**
 * Checks that a backend's non-blocking collectives leave what the blocking ones leave, one after
 * the other and all under way at once, waited for last to first or tested until complete. A
 * difference is named on stderr and ends the rank with status 1. Where messages carry no payload
 * (null) only the calls are made.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transport/transport.h"

enum { MOST_RANKS = 8, MOST_ELEMENTS = 8192, OPERATIONS = 4, SPOILT = -1 };

static const size_t COUNTS[] = {0, 1, 100, MOST_ELEMENTS};

static int rank, size;
static int64_t out[OPERATIONS][MOST_RANKS * MOST_ELEMENTS];
static int64_t in[OPERATIONS][MOST_RANKS * MOST_ELEMENTS];
static int64_t expected[OPERATIONS][MOST_RANKS * MOST_ELEMENTS];

static void prepare(void)
{
    memset(in, SPOILT, sizeof in);
    memset(expected, SPOILT, sizeof expected);
    for (int k = 0; k < OPERATIONS; k++)
        for (int64_t i = 0; i < MOST_RANKS * MOST_ELEMENTS; i++)
            out[k][i] = i * (rank + 1) + k;
}

/* bcast's buffer is its input too. */
static void call_blocking(size_t count, int root)
{
    memcpy(expected[0], out[0], count * 8);
    tp_bcast(expected[0], count * 8, root);
    tp_allreduce(out[1], expected[1], count, TP_INT64, TP_SUM);
    tp_allgather(out[2], expected[2], count * 8);
    tp_alltoall(out[3], expected[3], count * 8);
}

static void start(int operation, size_t count, int root)
{
    switch (operation) {
    case 0:
        memcpy(in[0], out[0], count * 8);
        tp_ibcast(in[0], count * 8, root, operation);
        break;
    case 1:
        tp_iallreduce(out[1], in[1], count, TP_INT64, TP_SUM, operation);
        break;
    case 2:
        tp_iallgather(out[2], in[2], count * 8, operation);
        break;
    default:
        tp_ialltoall(out[3], in[3], count * 8, operation);
    }
}

static void require_expected(size_t count)
{
    for (int k = 0; tp_carries_payload && k < OPERATIONS; k++) {
        if (memcmp(in[k], expected[k], sizeof in[k]) == 0)
            continue;
        fprintf(stderr, "operation %d of %zu elements, rank %d of %d over %s, differs\n", k, count,
                rank, size, tp_backend);
        exit(EXIT_FAILURE);
    }
}

static void check_one_after_the_other(size_t count, int root)
{
    prepare();
    call_blocking(count, root);
    for (int k = 0; k < OPERATIONS; k++) {
        start(k, count, root);
        while (!tp_test(k))
            ;
    }
    require_expected(count);
}

static void check_all_at_once(size_t count, int root)
{
    prepare();
    call_blocking(count, root);
    tp_ibarrier(OPERATIONS);
    for (int k = 0; k < OPERATIONS; k++)
        start(k, count, root);
    for (int k = OPERATIONS; k >= 0; k--)
        tp_wait(k);
    require_expected(count);
}

int main(int argc, char **argv)
{
    tp_init(&argc, &argv);
    rank = tp_rank();
    size = tp_size();
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++) {
        for (int root = 0; root < size; root++) {
            check_one_after_the_other(COUNTS[i], root);
            check_all_at_once(COUNTS[i], root);
        }
    }
    tp_finalize();
    return EXIT_SUCCESS;
}
