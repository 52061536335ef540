/**
 * Checks that a backend keeps the contract of transport/one_sided.h, over as many ranks as it is
 * started on. A fact that fails is named on stderr and ends the rank with status 1. Where messages
 * carry no payload (null) the calls are made and nothing is checked.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contents.h"
#include "transport/transport.h"

enum {
    SMALL_BYTES = 5000,
    LARGE_BYTES = 3000000,
    WORDS_BYTES = 4096,
    GUARD_BYTES = 64,
    ROUNDS = 200,
    PATIENCE_S = 300
};

static const char *fact; /* being checked */
static int rank, size, next, previous;
static uint64_t *words; /* of the block; bytes follow */
static unsigned char *bytes_at;

static void require(bool holds, const char *format, ...)
{
    va_list arguments;
    if (holds || !tp_carries_payload)
        return;
    fprintf(stderr, "one-sided, rank %d of %d over %s: %s: ", rank, size, tp_backend, fact);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

static void require_bytes(const unsigned char *message, size_t count, int seed)
{
    if (tp_carries_payload && !is_filled(message, count, seed))
        for (size_t i = 0; i < count; i++)
            require(message[i] == byte_of(i, seed), "byte %zu of %zu is %d, not %d", i, count,
                    message[i], byte_of(i, seed));
}

/* Plain accesses before it and one-sided ones after it don't meet, nor the other way round. */
static void settle(void)
{
    tp_symmetric_sync();
    tp_barrier();
    tp_symmetric_sync();
}

static void use_block(size_t bytes)
{
    words = tp_symmetric_block(WORDS_BYTES + bytes);
    require(words != NULL, "no symmetric memory for %zu bytes", bytes);
    require((uintptr_t)words % tp_page_bytes() == 0, "the block lies at %p", (void *)words);
    bytes_at = (unsigned char *)words + WORDS_BYTES;
    memset(words, 0, WORDS_BYTES);
    settle();
}

static void block_grows_and_a_smaller_one_is_the_same(void)
{
    use_block(SMALL_BYTES);
    use_block(2 * LARGE_BYTES + GUARD_BYTES);
    require(tp_symmetric_block(100) == (void *)words, "a smaller block lies elsewhere");
}

static void put_and_wait(void *to, const void *from, size_t bytes, int peer)
{
    tp_put_start(to, from, bytes, peer);
    tp_quiet();
}

static void require_puts(void (*put)(void *to, const void *from, size_t bytes, int peer))
{
    static const size_t sizes[] = {1, 7, 8, 63, 64, 65, 4097, 100003, LARGE_BYTES};
    unsigned char *from = bytes_at + LARGE_BYTES + GUARD_BYTES;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        fill(bytes_at, sizes[i] + 8, 99);
        fill(from, sizes[i], rank);
        settle();
        put(bytes_at, from, sizes[i], next);
        settle();
        require_bytes(bytes_at, sizes[i], previous);
        require(bytes_at[sizes[i]] == byte_of(sizes[i], 99), "wrote beyond %zu bytes", sizes[i]);
        settle();
    }
}

static void puts_are_there_and_beyond_them_nothing_changed(void)
{
    require_puts(tp_put);
    require_puts(put_and_wait);
}

static void gets_bring_the_peers_bytes(void)
{
    unsigned char *to = malloc(LARGE_BYTES);
    require(to != NULL, "no memory");
    fill(bytes_at, LARGE_BYTES, rank);
    settle();
    tp_get(to, bytes_at, LARGE_BYTES, next);
    require_bytes(to, LARGE_BYTES, next);
    tp_get(to, bytes_at, 1001, rank);
    require_bytes(to, 1001, rank);
    for (size_t i = 0; i < 100; i++)
        tp_get_start(to + i * 1000, bytes_at + i * 1000, 1000, previous);
    tp_quiet();
    require_bytes(to, 100000, previous);
    settle();
    free(to);
}

/* Messages around a ring; who sees the flag sees the bytes, each round other ones. */
static void flag_comes_after_its_bytes(void)
{
    static const size_t sizes[] = {0, 8, 1000, 70000};
    unsigned char *from = bytes_at + LARGE_BYTES + GUARD_BYTES;
    for (int round = 1; round <= ROUNDS; round++) {
        const size_t count = sizes[round % 4];
        fill(from, count, round + rank);
        tp_put_flag(bytes_at, from, count, &words[8], (uint64_t)round, next);
        tp_wait_until(&words[8], (uint64_t)round);
        require_bytes(bytes_at, count, round + previous);
        tp_put_flag(words, words, 0, &words[16], (uint64_t)round, previous); /* taken */
        tp_wait_until(&words[16], (uint64_t)round);
        tp_quiet();
    }
    settle();
}

static void no_addition_is_lost_and_no_number_given_twice(void)
{
    uint64_t last = 0;
    for (int i = 0; i < ROUNDS; i++) {
        const uint64_t before = tp_fetch_add(&words[24], 1, 0);
        require(i == 0 || before > last, "fetched %" PRIu64 " after %" PRIu64, before, last);
        last = before;
    }
    settle();
    require(rank != 0 || words[24] == (uint64_t)(ROUNDS * size), "the sum is %" PRIu64, words[24]);
    settle();
}

static void compare_and_swap_swaps_what_is_expected_and_nothing_else(void)
{
    uint64_t swaps = 0, seen = 0;
    require(tp_compare_swap(&words[32], 1, 7, next) == 0, "a fresh word isn't 0");
    settle();
    require(words[32] == 0, "a word was swapped that wasn't expected");
    settle();
    while (swaps < ROUNDS && tp_carries_payload) {
        const uint64_t before = tp_compare_swap(&words[40], seen, seen + 1, 0);
        swaps += before == seen;
        seen = before == seen ? seen + 1 : before;
    }
    settle();
    require(rank != 0 || words[40] == (uint64_t)(ROUNDS * size), "%" PRIu64 " swaps", words[40]);
    settle();
}

#define FACT(function) {#function, function}
static const struct {
    const char *name;
    void (*check)(void);
} FACTS[] = {
    FACT(block_grows_and_a_smaller_one_is_the_same),
    FACT(puts_are_there_and_beyond_them_nothing_changed),
    FACT(gets_bring_the_peers_bytes),
    FACT(flag_comes_after_its_bytes),
    FACT(no_addition_is_lost_and_no_number_given_twice),
    FACT(compare_and_swap_swaps_what_is_expected_and_nothing_else),
};

int main(int argc, char **argv)
{
    alarm(PATIENCE_S); /* where another rank has failed, this one may wait for ever */
    tp_init(&argc, &argv);
    rank = tp_rank();
    size = tp_size();
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    for (size_t i = 0; i < sizeof FACTS / sizeof *FACTS; i++) {
        fact = FACTS[i].name;
        FACTS[i].check();
    }
    if (rank == 0)
        printf("%zu facts hold over %d ranks of %s\n", sizeof FACTS / sizeof *FACTS, size,
               tp_library());
    tp_finalize();
    return EXIT_SUCCESS;
}
