/**
 * What programs that check a backend's facts have in common: messages with known contents, and a
 * word on stderr and status 1 where a fact doesn't hold. Where messages carry no payload (null)
 * only the calls are made.
 */
#ifndef LEADLINE_TESTS_FACTS_H
#define LEADLINE_TESTS_FACTS_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contents.h"
#include "transport/transport.h"

enum { GO = 20000, PATIENCE_S = 120 };

static const size_t SIZES[] = {0, 8, 48, 49, 4096, 4097, 20000, 70001, 3, 131072};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

struct fact {
    const char *name;
    void (*check)(void);
};

#define FACT(function) {#function, function}

static const char *fact; /* being checked */
static int rank, size;
static unsigned char *out, *in;

static inline void require(bool holds, const char *what, int64_t seen, int64_t expected)
{
    if (holds || !tp_carries_payload)
        return;
    fprintf(stderr, "rank %d of %d over %s: %s: %s: seen %" PRId64 ", not %" PRId64 "\n", rank,
            size, tp_backend, fact, what, seen, expected);
    exit(EXIT_FAILURE);
}

static inline bool is_absent(const char *algorithm)
{
    return strcmp(algorithm, "absent") == 0;
}

static inline size_t size_of(int i)
{
    return SIZES[i % SIZE_COUNT];
}

/** And spoils it, for the next. */
static inline void require_received(unsigned char *message, size_t bytes, int seed)
{
    if (tp_carries_payload && !is_filled(message, bytes, seed))
        for (size_t i = 0; i < bytes; i++)
            require(message[i] == byte_of(i, seed), "byte", message[i], byte_of(i, seed));
    memset(message, 0x5a, bytes);
}

static inline void tell(int peer)
{
    tp_send(out, 0, peer, GO);
}

static inline void hear(int peer)
{
    tp_recv(in, 0, peer, GO);
}

/** Joins the job, with room for messages of `bytes` bytes in all each way. */
static inline void facts_begin(int *argc, char ***argv, size_t bytes)
{
    alarm(PATIENCE_S); /* where another rank has failed, this one may wait for ever */
    tp_init(argc, argv);
    rank = tp_rank();
    size = tp_size();
    out = tp_allocate(bytes);
    in = tp_allocate(bytes);
    if (!out || !in)
        exit(EXIT_FAILURE);
}

static inline void facts_check(const struct fact *facts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fact = facts[i].name;
        facts[i].check();
        tp_barrier();
    }
    if (rank == 0)
        printf("%zu facts hold over %d ranks of %s\n", count, size, tp_library());
}

static inline void facts_end(void)
{
    tp_release(out);
    tp_release(in);
    tp_finalize();
}

#endif
