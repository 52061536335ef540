#include "channel/core_latency.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "channel/clock.h"
#include "channel/pages.h"

enum {
    LINE_BYTES = 256, /* of the processors that have the longest */
    BATCHES = 5,      /* the least mean counts: an interruption only lengthens */
    ROUND_TRIPS = 20, /* in each: the clock takes a hundredth */
    LAST_BALL = 2 * BATCHES * ROUND_TRIPS + 1,
    LOOKS = 1000,      /* between two at the clock, which so delays only those that wait long */
    COMING_NS = 80000, /* from one rank's arrival to its partner's */
    PLAYING_NS = 80000,
    NOT_SAID = -2, /* in place of a result */
};

/** Before the number of a slice, counted from FIRST_SLICE. */
enum { ABSENT, HERE, FIRST_SLICE };

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "words of a page that processes share");

/** Every word names its slice: what an earlier one left there is no answer. */
struct page {
    struct {
        _Alignas(LINE_BYTES) _Atomic int64_t slice;
    } arrived[2];
    _Alignas(LINE_BYTES) _Atomic int64_t ball;   /* odd: to the second rank */
    _Alignas(LINE_BYTES) _Atomic int64_t result; /* whoever says it first decides for both */
};

static struct page *page;
static int own; /* 0: serves, and reads the clock; 1: returns */

void core_latency_open(int rank)
{
    page = page_map("LEADLINE_CORE_LATENCY", rank / 2, sizeof *page);
    own = rank % 2;
    if (page)
        atomic_store(&page->arrived[own].slice, HERE);
}

/* A word of `slice`; `value` has 32 bits. */
static int64_t word(int64_t slice, int64_t value)
{
    return (int64_t)((uint64_t)slice << 32 | (uint32_t)value);
}

/* Whether `at` says `awaited` before the clock says `end_ns`. */
static bool met(_Atomic int64_t *at, int64_t awaited, int64_t end_ns)
{
    do {
        for (int look = 0; look < LOOKS; look++)
            if (atomic_load_explicit(at, memory_order_acquire) == awaited)
                return true;
    } while (clock_now_ns() < end_ns);
    return false;
}

/* Both leave with one result: the first that was said of this slice. */
static int64_t agreed(int64_t slice, int64_t said)
{
    int64_t found = word(slice, NOT_SAID);
    if (atomic_compare_exchange_strong(&page->result, &found, word(slice, said)))
        return said;
    return found >> 32 == slice ? (int32_t)found : CORE_LATENCY_UNKNOWN;
}

/* What serves lays the ball down before it arrives. */
static bool both_arrive(int64_t slice)
{
    if (own == 0) {
        atomic_store(&page->ball, word(slice, 0));
        atomic_store(&page->result, word(slice, NOT_SAID));
    }
    atomic_store(&page->arrived[own].slice, slice);
    return met(&page->arrived[!own].slice, slice, clock_now_ns() + COMING_NS);
}

/* One batch; whether each ball came back in time. */
static bool serve(int64_t slice, int64_t first, int64_t end_ns)
{
    for (int64_t ball = first; ball < first + 2 * ROUND_TRIPS; ball += 2) {
        atomic_store_explicit(&page->ball, word(slice, ball + 1), memory_order_release);
        if (!met(&page->ball, word(slice, ball + 2), end_ns))
            return false;
    }
    return true;
}

static int64_t serve_batches(int64_t slice)
{
    int64_t least_ns = INT64_MAX, before = clock_now_ns();
    const int64_t end_ns = before + PLAYING_NS;
    for (int64_t batch = 0; batch < BATCHES && before < end_ns; batch++) {
        if (!serve(slice, batch * 2 * ROUND_TRIPS, end_ns))
            break;
        const int64_t now = clock_now_ns();
        least_ns = now - before < least_ns ? now - before : least_ns;
        before = now;
    }
    return least_ns == INT64_MAX ? CORE_LATENCY_UNKNOWN
                                 : (least_ns + ROUND_TRIPS / 2) / ROUND_TRIPS;
}

/* Returns until the last ball, or until none comes in time; whether there was one. */
static bool return_batches(int64_t slice)
{
    const int64_t end_ns = clock_now_ns() + PLAYING_NS;
    int64_t ball = 1;
    for (; ball <= LAST_BALL && met(&page->ball, word(slice, ball), end_ns); ball += 2)
        atomic_store_explicit(&page->ball, word(slice, ball + 1), memory_order_release);
    return ball > 1;
}

int64_t core_latency_ns(int64_t number)
{
    const int64_t slice = number + FIRST_SLICE;
    if (!page || atomic_load(&page->arrived[!own].slice) == ABSENT || !both_arrive(slice))
        return CORE_LATENCY_UNKNOWN;
    if (own == 1)
        return return_batches(slice) ? agreed(slice, CORE_LATENCY_UNKNOWN) : CORE_LATENCY_UNKNOWN;
    const int64_t found = agreed(slice, serve_batches(slice));
    atomic_store(&page->ball, word(slice, LAST_BALL)); /* it needn't wait until time is over */
    return found;
}
