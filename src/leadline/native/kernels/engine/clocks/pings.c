#include "engine/clocks/pings.h"

#include <stdbool.h>
#include <stdlib.h>

#include "channel/clock.h"
#include "transport/transport.h"

enum {
    TAG = 32748,
    LEAST_PINGS = 16,
    MOST_PINGS = 256,
    ENOUGH_PINGS = 64,
    ENOUGH_NS = 3000000,
    PATIENCE_NS = 30000000, /* while all of them are disturbed */
    DISTURBED = 2,          /* times as long as the shortest one before */
    LEAST_ERROR_NS = 20,    /* a clock's own reading takes as long */
};

static struct reading ping(int peer, bool is_last)
{
    int64_t last = is_last, common = 0;
    const int64_t begin = clock_now_ns();
    tp_send(&last, sizeof last, peer, TAG);
    tp_recv(&common, sizeof common, peer, TAG);
    const int64_t round_trip = clock_now_ns() - begin;
    return (struct reading){
        .here_ns = begin + round_trip / 2,
        .common_ns = common,
        .round_trip_ns = round_trip,
    };
}

void pings_answer(int peer, const struct model *model)
{
    for (int64_t is_last = 0; !is_last;) {
        tp_recv(&is_last, sizeof is_last, peer, TAG);
        const int64_t common = model_common_ns(model, clock_now_ns());
        tp_send(&common, sizeof common, peer, TAG);
    }
}

static int ascending(int64_t one, int64_t other)
{
    return (one > other) - (one < other);
}

static int by_round_trip(const void *one, const void *other)
{
    return ascending(((const struct reading *)one)->round_trip_ns,
                     ((const struct reading *)other)->round_trip_ns);
}

static int64_t ahead_ns(struct reading reading)
{
    return reading.here_ns - reading.common_ns;
}

static int by_offset(const void *one, const void *other)
{
    return ascending(ahead_ns(*(const struct reading *)one),
                     ahead_ns(*(const struct reading *)other));
}

static int64_t within(int64_t value, int64_t most)
{
    return value > most ? most : value < -most ? -most : value;
}

/* The one with the shortest round trip, moved within its own bounds to what is in the middle of the
   quarter with the shortest ones. */
static struct reading settled(struct reading *pings, long count)
{
    const long best = count / 4;
    qsort(pings, (size_t)count, sizeof *pings, by_round_trip);
    struct reading found = pings[0];
    const int64_t ahead = ahead_ns(found);
    qsort(pings, (size_t)best, sizeof *pings, by_offset);
    const int64_t error = (ahead_ns(pings[best - 1]) - ahead_ns(pings[0])) / 2;
    found.here_ns += within(ahead_ns(pings[best / 2]) - ahead, found.round_trip_ns / 2);
    found.error_ns = error > LEAST_ERROR_NS ? error : LEAST_ERROR_NS;
    return found;
}

static bool is_enough(long count, int64_t spent_ns, bool disturbed)
{
    if (disturbed)
        return count >= MOST_PINGS || spent_ns >= PATIENCE_NS;
    return count >= ENOUGH_PINGS || spent_ns >= ENOUGH_NS;
}

struct reading pings_read(int peer, int64_t usual_ns)
{
    struct reading pings[MOST_PINGS];
    long count = 0;
    int64_t shortest = INT64_MAX;
    const int64_t begin = clock_now_ns();
    for (bool is_last = false; !is_last; count++) {
        const bool disturbed = usual_ns > 0 && shortest / DISTURBED >= usual_ns;
        is_last =
            count + 1 >= LEAST_PINGS && is_enough(count + 1, clock_now_ns() - begin, disturbed);
        pings[count] = ping(peer, is_last);
        if (pings[count].round_trip_ns < shortest)
            shortest = pings[count].round_trip_ns;
    }
    return settled(pings, count);
}
