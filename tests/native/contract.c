/**
 * Checks that a backend keeps the contract of transport.h, over as many ranks as it is started on.
 *
 *   contract            every fact below; ends with status 0 if all hold
 *   contract overlong   rank 0 sends rank 1 more than fits its receive, which must end the job
 *   contract wait       joins the job, says "ready" and waits to be killed
 *
 * A fact that fails is named on stderr, with the place, and ends the rank with status 1. Where
 * messages carry no payload (null) only what doesn't depend on it is checked.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "contents.h"
#include "transport/transport.h"

enum { TAG = 7, MOST_BYTES = (1 << 20) + 3, GUARD_BYTES = 64, GUARD = 0x5a, PATIENCE_S = 300 };

static const size_t SIZES[] = {0,         1,    7,     8,     48,    49,
                               63,        64,   65,    112,   113,   4095,
                               4096,      4097, 65535, 65536, 65537, (1 << 18) + 64,
                               MOST_BYTES};
static const size_t SIZE_COUNT = sizeof SIZES / sizeof *SIZES;

static const char *fact; /* being checked */
static int rank, size;
static unsigned char *out, *in; /* MOST_BYTES and a guard each */

static void require(bool holds, const char *format, ...)
{
    va_list arguments;
    if (holds)
        return;
    fprintf(stderr, "contract, rank %d of %d over %s: %s: ", rank, size, tp_backend, fact);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

/* Spoils `in`, guard included, so that a message that never came can't look right. */
static void spoil(size_t bytes)
{
    memset(in, GUARD, bytes + GUARD_BYTES);
}

static void require_received(size_t bytes, int seed)
{
    if (!tp_carries_payload)
        return;
    if (!is_filled(in, bytes, seed))
        for (size_t i = 0; i < bytes; i++)
            require(in[i] == byte_of(i, seed), "byte %zu of %zu is %d, not %d", i, bytes, in[i],
                    byte_of(i, seed));
    for (size_t i = bytes; i < bytes + GUARD_BYTES; i++)
        require(in[i] == GUARD, "byte %zu beyond a message of %zu was written", i - bytes, bytes);
}

/* True where this rank is one of the two; then the roles are given by `rank`. */
static bool takes_part(int one, int other)
{
    return rank == one || rank == other;
}

static void echo(size_t bytes, int one, int other)
{
    spoil(bytes);
    if (rank == one) {
        fill(out, bytes, one + 1);
        tp_send(out, bytes, other, TAG);
        tp_recv(in, bytes, other, TAG);
        require_received(bytes, one + 1);
    } else {
        tp_recv(in, bytes, one, TAG);
        require_received(bytes, one + 1);
        tp_send(in, bytes, one, TAG);
    }
}

static void messages_of_every_size_arrive_between_all_pairs(void)
{
    for (int one = 0; one < size; one++)
        for (int other = one + 1; other < size; other++)
            for (size_t i = 0; i < SIZE_COUNT && takes_part(one, other); i++)
                echo(SIZES[i], one, other);
}

/* The sender runs far ahead of the receiver, through small and large messages and all tags. */
static void messages_arrive_in_the_order_sent(void)
{
    enum { MESSAGES = 400 };
    for (int i = 0; i < MESSAGES && size > 1 && takes_part(0, size - 1); i++) {
        const size_t bytes = SIZES[(size_t)i * 5 % SIZE_COUNT] % 70000;
        if (rank == 0) {
            fill(out, bytes, i);
            tp_send(out, bytes, size - 1, i * 80);
        } else {
            spoil(bytes);
            tp_recv(in, bytes, 0, i * 80);
            require_received(bytes, i);
        }
    }
}

static void sender_may_write_its_buffer_when_send_returns(void)
{
    static const size_t sizes[] = {40, 4000, 20000, 200000, MOST_BYTES};
    for (int i = 0; i < 40 && size > 1 && takes_part(0, 1); i++) {
        const size_t bytes = sizes[i / 8];
        if (rank == 0) {
            fill(out, bytes, i);
            tp_send(out, bytes, 1, TAG);
        } else {
            spoil(bytes);
            tp_recv(in, bytes, 0, TAG);
            require_received(bytes, i);
        }
    }
}

static void shorter_message_leaves_the_rest_of_the_buffer_alone(void)
{
    for (size_t i = 0; i < SIZE_COUNT && size > 1 && takes_part(0, 1); i++) {
        const size_t bytes = SIZES[i] / 4 * 4; /* PVM's XDR knows no other lengths */
        spoil(bytes);
        fill(out, bytes, 3);
        if (rank == 0)
            tp_send(out, bytes, 1, TAG);
        else {
            tp_recv(in, bytes + GUARD_BYTES, 0, TAG);
            require_received(bytes, 3);
        }
    }
}

static void exchange_with_itself_gives_the_same_bytes(void)
{
    for (size_t i = 0; i < SIZE_COUNT; i++) {
        spoil(SIZES[i]);
        fill(out, SIZES[i], (int)i);
        tp_sendrecv(out, SIZES[i], rank, in, SIZES[i], rank, TAG);
        require_received(SIZES[i], (int)i);
    }
}

static void ring_of_exchanges_never_deadlocks(void)
{
    const int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (size_t i = 0; i < SIZE_COUNT; i++) {
        spoil(SIZES[i]);
        fill(out, SIZES[i], rank);
        tp_sendrecv(out, SIZES[i], right, in, SIZES[i], left, TAG);
        require_received(SIZES[i], left);
    }
}

/* Pairs exchange, one side a large message and the other a small one. */
static void exchanges_of_unequal_sizes_arrive(void)
{
    const int peer = rank ^ 1;
    const size_t sent = rank % 2 ? 3 : MOST_BYTES, received = rank % 2 ? MOST_BYTES : 3;
    if (peer >= size)
        return;
    spoil(received);
    fill(out, sent, rank);
    tp_sendrecv(out, sent, peer, in, received, peer, TAG);
    require_received(received, peer);
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Over memory from tp_allocate: reductions need take no other. */
static int64_t latest(int64_t mine)
{
    int64_t all;
    memcpy(out, &mine, sizeof mine);
    tp_allreduce(out, in, 1, TP_INT64, TP_MAX);
    memcpy(&all, in, sizeof all);
    return tp_carries_payload ? all : mine;
}

/* Each rank in turn comes late; ranks of one host share the clock that tells. */
static void require_barrier(void (*barrier)(void), const char *algorithm)
{
    if (strcmp(algorithm, "absent") == 0)
        return;
    for (int late = 0; late < size; late++) {
        if (rank == late)
            usleep(2000);
        const int64_t entered = now_ns();
        barrier();
        const int64_t left = now_ns();
        const int64_t last = latest(entered);
        require(!tp_carries_payload || left >= last, "left %" PRId64 " ns before rank %d came",
                last - left, late);
    }
    for (int i = 0; i < 200; i++)
        barrier();
}

static void nobody_leaves_a_barrier_before_all_came(void)
{
    require_barrier(tp_barrier, tp_barrier_algorithm);
    require_barrier(tp_barrier_counter, tp_barrier_counter_algorithm);
    require_barrier(tp_barrier_futex, tp_barrier_futex_algorithm);
    require_barrier(tp_barrier_dissemination, tp_barrier_dissemination_algorithm);
}

static void broadcast_reaches_all_from_every_root(void)
{
    for (int root = 0; root < size && strcmp(tp_bcast_algorithm, "absent") != 0; root++)
        for (size_t i = 0; i < SIZE_COUNT; i++) {
            spoil(SIZES[i]);
            if (rank == root)
                fill(in, SIZES[i], root);
            tp_bcast(in, SIZES[i], root);
            if (rank != root || tp_carries_payload)
                require_received(SIZES[i], root);
        }
}

/* Whole numbers, so that sums of doubles are exact in any order; the largest isn't always the
   last rank's, and some places have a zero and some have none. The same again after ELEMENTS. */
enum { ELEMENTS = 97 * 5 };

static int64_t element(size_t i, int of_rank)
{
    return (int64_t)(i % 97 + 1) * ((of_rank * 5 + 3) % 7 - 3) + (i % 5 == 1);
}

static int64_t combined(size_t i, enum tp_op op)
{
    int64_t result = element(i, 0);
    for (int r = 1; r < size; r++) {
        const int64_t other = element(i, r);
        if (op == TP_LAND)
            result = result != 0 && other != 0;
        else
            result = op == TP_SUM ? result + other : other > result ? other : result;
    }
    return op == TP_LAND ? result != 0 : result;
}

static void put(void *elements, size_t i, enum tp_type type, int64_t value)
{
    if (type == TP_DOUBLE)
        ((double *)elements)[i] = (double)value;
    else
        ((int64_t *)elements)[i] = value;
}

static int64_t got(const void *elements, size_t i, enum tp_type type)
{
    return type == TP_DOUBLE ? (int64_t)((const double *)elements)[i]
                             : ((const int64_t *)elements)[i];
}

static void require_reduction(size_t count, enum tp_type type, enum tp_op op)
{
    int64_t mine[ELEMENTS], all[ELEMENTS];
    for (size_t i = 0; i < ELEMENTS; i++) {
        mine[i] = element(i, rank);
        all[i] = combined(i, op);
    }
    spoil(count * 8);
    for (size_t i = 0; i < count; i++)
        put(out, i, type, mine[i % ELEMENTS]);
    tp_allreduce(out, in, count, type, op);
    for (size_t i = 0; i < count && tp_carries_payload; i++) {
        const int64_t right = all[i % ELEMENTS];
        require(got(in, i, type) == right,
                "element %zu of %zu, type %d, op %d: %" PRId64 ", not %" PRId64, i, count, type, op,
                got(in, i, type), right);
        require(got(out, i, type) == mine[i % ELEMENTS], "element %zu of the input was changed", i);
    }
    require(in[count * 8] == GUARD, "wrote beyond %zu elements", count);
}

static void reduction_combines_all_ranks_elements(void)
{
    static const size_t counts[] = {0, 1, 2, 7, 63, 1000, 100000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (enum tp_type type = TP_DOUBLE; type <= TP_INT64; type++)
            for (enum tp_op op = TP_SUM; op <= (type == TP_INT64 ? TP_LAND : TP_MAX); op++)
                require_reduction(counts[i], type, op);
}

static void allocated_memory_is_page_aligned_and_writable(void)
{
    static const size_t sizes[] = {1, 4095, 65537, 1 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *memory = tp_allocate(sizes[i]);
        require(memory != NULL, "no memory for %zu bytes", sizes[i]);
        require((uintptr_t)memory % tp_page_bytes() == 0, "%zu bytes lie at %p", sizes[i],
                (void *)memory);
        memset(memory, 1, sizes[i]);
        tp_release(memory);
    }
    tp_release(NULL);
}

#define FACT(function) {#function, function}
static const struct {
    const char *name;
    void (*check)(void);
} FACTS[] = {
    FACT(messages_of_every_size_arrive_between_all_pairs),
    FACT(messages_arrive_in_the_order_sent),
    FACT(sender_may_write_its_buffer_when_send_returns),
    FACT(shorter_message_leaves_the_rest_of_the_buffer_alone),
    FACT(exchange_with_itself_gives_the_same_bytes),
    FACT(ring_of_exchanges_never_deadlocks),
    FACT(exchanges_of_unequal_sizes_arrive),
    FACT(nobody_leaves_a_barrier_before_all_came),
    FACT(broadcast_reaches_all_from_every_root),
    FACT(reduction_combines_all_ranks_elements),
    FACT(allocated_memory_is_page_aligned_and_writable),
};

static void check_all(void)
{
    for (size_t i = 0; i < sizeof FACTS / sizeof *FACTS; i++) {
        fact = FACTS[i].name;
        FACTS[i].check();
        tp_barrier();
    }
    if (rank == 0)
        printf("%zu facts hold over %d ranks of %s\n", sizeof FACTS / sizeof *FACTS, size,
               tp_library());
}

static void send_too_much(void)
{
    if (rank == 0)
        tp_send(out, 100, 1, TAG);
    if (rank == 1)
        tp_recv(in, 99, 0, TAG);
}

static void wait_to_be_killed(void)
{
    puts("ready");
    fflush(stdout);
    pause();
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    alarm(PATIENCE_S); /* where another rank has failed, this one may wait for ever */
    fact = "job";
    tp_init(&argc, &argv);
    rank = tp_rank();
    size = tp_size();
    require(size >= 1 && rank >= 0 && rank < size, "rank isn't between 0 and %d", size - 1);
    out = tp_allocate(MOST_BYTES + GUARD_BYTES);
    in = tp_allocate(MOST_BYTES + GUARD_BYTES);
    require(out && in, "no memory for messages");
    if (strcmp(what, "overlong") == 0)
        send_too_much();
    else if (strcmp(what, "wait") == 0)
        wait_to_be_killed();
    else
        check_all();
    tp_release(out);
    tp_release(in);
    tp_finalize();
    return EXIT_SUCCESS;
}
