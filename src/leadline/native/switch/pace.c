#include "pace.h"

enum {
    FIRST_NS = 60000,
    LEAST_NS = 3000,
    MOST_NS = 100000,
    LATER_NS = 1800, /**< nine times EARLIER_NS: in balance where one of ten sleeps is too late */
    EARLIER_NS = 200,
    SHARE = 3,           /**< awake for so many parts, then asleep for one */
    NOTICED_NS = 500000, /**< sleep owed: no polling before deliveries, */
    URGENT_NS = 2000000, /**< sleeps even if something is due, */
    REST_NS = 100000,    /**< for so long */
    SHORTEST_NS = 10000  /**< a shorter sleep isn't worth its system call */
};

struct pace pace_begin(int64_t now_ns)
{
    return (struct pace){.ahead_ns = FIRST_NS, .woken_ns = now_ns};
}

int64_t pace_sleep_ns(const struct pace *pace, int64_t now_ns, int64_t next_ns)
{
    const int64_t owed_ns = pace->owed_ns + (now_ns - pace->woken_ns) / SHARE;
    if (next_ns == INT64_MAX)
        return INT64_MAX;
    if (owed_ns > URGENT_NS)
        return REST_NS;
    const int64_t left_ns = next_ns - now_ns - (owed_ns > NOTICED_NS ? 0 : pace->ahead_ns);
    return left_ns > SHORTEST_NS ? left_ns : 0;
}

static int64_t within(int64_t least, int64_t value, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

void pace_slept(struct pace *pace, int64_t begun_ns, int64_t asked_ns, int64_t ended_ns)
{
    const int64_t awake_ns = begun_ns - pace->woken_ns, asleep_ns = ended_ns - begun_ns;
    const int64_t owed_ns = pace->owed_ns + awake_ns / SHARE - asleep_ns;
    pace->owed_ns = within(0, owed_ns, INT64_MAX);
    pace->woken_ns = ended_ns;
    if (asked_ns == 0)
        return;
    const int64_t change_ns = asleep_ns - asked_ns > pace->ahead_ns ? LATER_NS : -EARLIER_NS;
    pace->ahead_ns = within(LEAST_NS, pace->ahead_ns + change_ns, MOST_NS);
}
