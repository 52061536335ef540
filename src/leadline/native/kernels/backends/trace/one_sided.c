/**
 * One-sided operations: what is asked of another rank it does as soon as it waits for anything, and
 * answers; the answer is waited for.
 */
#include <string.h>

#include "backends/trace/arrivals.h"
#include "backends/trace/log.h"
#include "backends/trace/wire.h"
#include "transport/transport.h"

const char tp_put_algorithm[] = "request and answer";
const char tp_get_algorithm[] = "request and answer";
const char tp_put_flag_algorithm[] = "request and answer";
const char tp_fetch_add_algorithm[] = "request and answer";
const char tp_compare_swap_algorithm[] = "request and answer";

static int64_t deepest_get = -1; /* of those started since the last tp_quiet */

void *tp_symmetric_block(size_t bytes)
{
    return symmetric_block(bytes);
}

/* Other ranks' operations are done by this rank's own thread. */
void tp_symmetric_sync(void)
{
}

static uint64_t ask(int peer, struct piece request, const void *from, size_t bytes, void *to)
{
    answers_expect(to);
    outbox_add(peer, request, from, bytes, NULL);
    progress_until(&answer.came);
    return answer.value;
}

/* Does `request` of this rank to itself, in one piece however long. */
static uint64_t do_here(struct piece request, const void *from, size_t bytes)
{
    request.source = job.rank;
    request.bytes = bytes;
    return symmetric_obey(&request, from);
}

static uint64_t requested(int peer, struct piece request, const void *from, size_t bytes)
{
    return peer == job.rank ? do_here(request, from, bytes) : ask(peer, request, from, bytes, NULL);
}

static void note(const char *call, int peer, size_t bytes)
{
    if (peer != job.rank)
        log_sent(call, peer, bytes, 0);
}

void tp_put(void *to, const void *from, size_t bytes, int peer)
{
    note("put", peer, bytes);
    requested(peer, (struct piece){.kind = PUT, .at = symmetric_place(to)}, from, bytes);
}

void tp_put_start(void *to, const void *from, size_t bytes, int peer)
{
    tp_put(to, from, bytes, peer);
}

static void fetch(void *to, const void *from, size_t bytes, int peer)
{
    const struct piece request = {.kind = GET, .at = symmetric_place(from), .value = bytes};
    note("get", peer, bytes);
    if (peer == job.rank)
        memmove(to, from, bytes);
    else
        ask(peer, request, NULL, 0, to);
}

void tp_get(void *to, const void *from, size_t bytes, int peer)
{
    const int64_t depth = log_depth();
    fetch(to, from, bytes, peer);
    if (peer != job.rank)
        log_deepen(depth);
}

/* Fetched at once, but known to be so no sooner than tp_quiet returns. */
void tp_get_start(void *to, const void *from, size_t bytes, int peer)
{
    fetch(to, from, bytes, peer);
    if (peer != job.rank)
        deepest_get = log_depth();
}

void tp_quiet(void)
{
    log_deepen(deepest_get);
    deepest_get = -1;
}

void tp_put_flag(void *to, const void *from, size_t bytes, uint64_t *flag, uint64_t value, int peer)
{
    const struct piece request = {
        .kind = FLAG,
        .depth = log_depth(),
        .at = symmetric_place(to),
        .word = symmetric_place(flag),
        .value = value,
    };
    if (bytes > 0)
        note("put", peer, bytes);
    note("flag", peer, sizeof value);
    requested(peer, request, from, bytes);
}

void tp_wait_until(const uint64_t *flag, uint64_t value)
{
    while (*flag != value)
        progress_or_sleep();
    progress_until_sent();
    const struct word *word = words_find(symmetric_place(flag));
    if (word && word->source != job.rank)
        log_found("wait", word->source, sizeof value, 0, word->depth);
}

static uint64_t atomically(int peer, struct piece request)
{
    const int64_t depth = request.depth = log_depth();
    note("atomic", peer, sizeof(uint64_t));
    const uint64_t before = requested(peer, request, NULL, 0);
    if (peer != job.rank)
        log_deepen(depth);
    return before;
}

uint64_t tp_fetch_add(uint64_t *word, uint64_t value, int peer)
{
    const struct piece request = {.kind = FETCH_ADD, .at = symmetric_place(word), .value = value};
    return atomically(peer, request);
}

uint64_t tp_compare_swap(uint64_t *word, uint64_t expected, uint64_t value, int peer)
{
    return atomically(peer, (struct piece){.kind = COMPARE_SWAP,
                                           .at = symmetric_place(word),
                                           .value = value,
                                           .expected = expected});
}
