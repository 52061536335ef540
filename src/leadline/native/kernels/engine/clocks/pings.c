#include "engine/clocks/pings.h"

#include <stdbool.h>
#include <stdlib.h>

#include "channel/clock.h"
#include "engine/sync.h"
#include "transport/transport.h"

enum {
    LEAST_PINGS = 16,
    ENOUGH_PINGS = 100,
    ENOUGH_NS = 10000000,
    PATIENCE_NS = 30000000, /* while none is nearly as fast as the fastest before */
    MOST_NS = 1000000000,   /* while too few are together */
    LEAST_ERROR_NS = 20,    /* a clock's own reading takes as long */
    LEAST_TOGETHER = 9,     /* of which an eighth can be the next fastest */
};

static struct ping ping(int peer, bool is_last)
{
    int64_t last = is_last;
    struct ping ping = {.sent_ns = clock_now_ns()};
    tp_send(&last, sizeof last, peer, TAG_PING);
    tp_recv(&ping.common_ns, sizeof ping.common_ns, peer, TAG_PING);
    ping.received_ns = clock_now_ns();
    return ping;
}

void pings_answer(int peer, const struct model *model)
{
    for (int64_t is_last = 0; !is_last;) {
        tp_recv(&is_last, sizeof is_last, peer, TAG_PING);
        const int64_t common = model_common_ns(model, clock_now_ns());
        tp_send(&common, sizeof common, peer, TAG_PING);
    }
}

static int64_t round_trip_ns(struct ping ping)
{
    return ping.received_ns - ping.sent_ns;
}

static int ascending(const void *one, const void *other)
{
    const int64_t first = *(const int64_t *)one, second = *(const int64_t *)other;
    return (first > second) - (first < second);
}

/* How far the best bound may be off: the next ones, an eighth of them, are as far away. */
static int64_t apart(int64_t *bounds, long count)
{
    qsort(bounds, (size_t)count, sizeof *bounds, ascending);
    return bounds[(count + 7) / 8] - bounds[0];
}

static int64_t shortest_of(const struct ping *pings, long count)
{
    int64_t shortest = INT64_MAX;
    for (long i = 0; i < count; i++)
        shortest = round_trip_ns(pings[i]) < shortest ? round_trip_ns(pings[i]) : shortest;
    return shortest;
}

/** Pings that were sent one after the other. */
struct run {
    const struct ping *pings;
    long count;
};

/* The most that were sent and answered within the patience, or as long as the least take on a slow
   network: who waited for a core meanwhile read the clock before it and after it, and a drift that
   isn't known yet went on. */
static struct run together(const struct ping *pings, long count)
{
    const int64_t slow_ns = LEAST_PINGS * 2 * shortest_of(pings, count);
    const int64_t within_ns = slow_ns > PATIENCE_NS ? slow_ns : PATIENCE_NS;
    struct run most = {pings, 0};
    for (long begin = 0, end = 0; end < count; end++) {
        while (begin <= end && pings[end].received_ns - pings[begin].sent_ns > within_ns)
            begin++;
        if (end + 1 - begin > most.count)
            most = (struct run){pings + begin, end + 1 - begin};
    }
    return most;
}

static struct reading settle(struct run run, double drift)
{
    int64_t behind[MOST_PINGS], ahead[MOST_PINGS];
    const struct ping *pings = run.pings;
    const long count = run.count;
    const struct ping first = pings[0];
    for (long i = 0; i < count; i++) {
        const int64_t since = pings[i].sent_ns - first.sent_ns;
        const int64_t common = pings[i].common_ns + (int64_t)((double)since * drift / (1 + drift));
        behind[i] = common - pings[i].sent_ns;
        ahead[i] = pings[i].received_ns - common;
    }
    const int64_t error = (apart(behind, count) + apart(ahead, count)) / 4;
    return (struct reading){
        .here_ns = first.sent_ns,
        .common_ns = first.sent_ns - (ahead[0] - behind[0]) / 2,
        .error_ns = error > LEAST_ERROR_NS ? error : LEAST_ERROR_NS,
        .round_trip_ns = shortest_of(pings, count),
    };
}

bool pings_are_together(const struct ping *pings, long count)
{
    return together(pings, count).count >= LEAST_TOGETHER;
}

struct reading pings_settle(const struct ping *pings, long count, double drift)
{
    const struct run most = together(pings, count);
    return settle(most.count < LEAST_TOGETHER ? (struct run){pings, count} : most, drift);
}

/* Where there was none before, nobody knows how fast they can be. */
static bool may_be_faster(int64_t shortest_ns, int64_t usual_ns)
{
    return shortest_ns > usual_ns + usual_ns / 4;
}

bool pings_suffice(long count, int64_t spent_ns, int64_t shortest_ns, int64_t usual_ns)
{
    if (count < LEAST_PINGS)
        return false;
    if (may_be_faster(shortest_ns, usual_ns))
        return count >= MOST_PINGS || spent_ns >= PATIENCE_NS;
    return count >= ENOUGH_PINGS || spent_ns >= ENOUGH_NS;
}

struct reading pings_read(int peer, int64_t usual_ns, double drift)
{
    struct ping pings[MOST_PINGS];
    long count = 0;
    int64_t shortest = INT64_MAX;
    const int64_t begin = clock_now_ns();
    for (bool is_last = false; !is_last; count++) {
        const int64_t spent_ns = clock_now_ns() - begin;
        is_last =
            pings_suffice(count + 1, spent_ns, shortest, usual_ns) &&
            (pings_are_together(pings, count) || count + 1 == MOST_PINGS || spent_ns >= MOST_NS);
        pings[count] = ping(peer, is_last);
        const int64_t took = round_trip_ns(pings[count]);
        shortest = took < shortest ? took : shortest;
    }
    return pings_settle(pings, count, drift);
}
