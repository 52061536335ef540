/** Faults in puts, gets, flags and atomics. */
#include "mutants.h"

#include <string.h>

/** A put that was held back, until the next. */
struct put {
    char *to;
    size_t bytes;
    int peer;
    char message[MOST_PIECE_BYTES];
};

static struct put late_put, last_put;
static uint64_t late_sum;

void __real_tp_put(void *to, const void *from, size_t bytes, int peer);

void one_sided_forget(void)
{
    late_put.to = last_put.to = NULL;
    late_sum = 0;
}

/* Nobody's where it is to the own memory: so the engine clears words. */
static struct call *begin_put(const char *op, int peer)
{
    return call_begin(op, peer == tp_rank() ? NOBODYS : 0);
}

static void put_again(const struct put *put)
{
    if (put->to)
        __real_tp_put(put->to, put->message, put->bytes, put->peer);
}

/* Puts that come later than they should, and two under way that change places. */
static void put_by(struct call *call, void *to, const void *from, size_t bytes, int peer)
{
    struct put put = {.to = to, .bytes = bytes, .peer = peer};
    if (call->watched)
        memcpy(put.message, from, bytes);
    if (call_is(call, LATE)) {
        put_again(&late_put);
        late_put = put;
    } else if (last_put.to && call_is(call, SWAP)) {
        char *other = last_put.to;
        last_put.to = to;
        put_again(&last_put);
        __real_tp_put(other, from, bytes, peer);
    } else if (!call_is(call, DROP)) {
        __real_tp_put(to, call_from(call, from, bytes), bytes, peer);
    }
    if (call->watched)
        last_put = put;
}

/* What setting up the memory takes is nobody's. */
TAKEN(void *, symmetric_block, (size_t bytes))
{
    struct call *call = call_begin("symmetric_block", NOBODYS);
    void *block = __real_tp_symmetric_block(bytes);
    call_end(call);
    return block;
}

TAKEN(void, put, (void *to, const void *from, size_t bytes, int peer))
{
    struct call *call = begin_put("put", peer);
    put_by(call, to, from, bytes, peer);
    call_end(call);
}

TAKEN(void, put_start, (void *to, const void *from, size_t bytes, int peer))
{
    struct call *call = begin_put("put_start", peer);
    put_by(call, to, from, bytes, peer);
    call_end(call);
}

TAKEN(void, put_flag,
      (void *to, const void *from, size_t bytes, uint64_t *flag, uint64_t value, int peer))
{
    struct call *call = begin_put("put_flag", bytes > 0 ? peer : tp_rank());
    if (call->watched)
        put_by(call, to, from, bytes, peer);
    if (!call_is(call, LOST))
        __real_tp_put_flag(to, from, call->watched ? 0 : bytes, flag, value, peer);
    call_end(call);
}

TAKEN(void, get, (void *to, const void *from, size_t bytes, int peer))
{
    struct call *call = call_begin("get", 0);
    call_into(call, to, bytes);
    __real_tp_get(to, from, bytes, peer);
    call_end(call);
}

TAKEN(void, get_start, (void *to, const void *from, size_t bytes, int peer))
{
    struct call *call = call_begin("get_start", 0);
    call_into(call, to, bytes);
    __real_tp_get_start(to, from, bytes, peer);
    call_end(call);
}

TAKEN(void, wait_until, (const uint64_t *flag, uint64_t value))
{
    struct call *call = call_begin("wait_until", 0);
    if (!call_is(call, LATE))
        __real_tp_wait_until(flag, value);
    call_end(call);
}

/* The word of another rank, or the one beside it. */
static uint64_t *word_of(struct call *call, uint64_t *word, int *peer)
{
    if (call_is(call, SWAP))
        *peer = (*peer + 1) % tp_size();
    return call_is(call, OFFSET) ? word + 1 : word;
}

TAKEN(uint64_t, fetch_add, (uint64_t *word, uint64_t value, int peer))
{
    struct call *call = call_begin("fetch_add", 0);
    word = word_of(call, word, &peer);
    const bool stale = call_is(call, STALE), lost = call_is(call, DROP);
    const bool twice = call_is(call, DUPLICATE), held = call_is(call, LATE);
    const uint64_t before = __real_tp_fetch_add(word, lost || held ? 0 : value + late_sum, peer);
    late_sum = held ? value + late_sum : call->watched ? 0 : late_sum;
    if (twice)
        __real_tp_fetch_add(word, value, peer);
    call_end(call);
    return stale ? before - 1 : before;
}

TAKEN(uint64_t, compare_swap, (uint64_t *word, uint64_t expected, uint64_t value, int peer))
{
    struct call *call = call_begin("compare_swap", 0);
    word = word_of(call, word, &peer);
    const bool stale = call_is(call, STALE), lost = call_is(call, DROP);
    uint64_t before = lost ? expected : __real_tp_compare_swap(word, expected, value, peer);
    if (call_is(call, DUPLICATE))
        before = __real_tp_compare_swap(word, expected, value, peer);
    call_end(call);
    return stale ? before - 1 : before;
}
