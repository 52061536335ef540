/**
 * Ranks in a time of their own that passes as a test says, over a transport of nothing but
 * messages: linked in with "-Wl,--wrap=clock_gettime", and tp_send, tp_recv and tp_sendrecv in the
 * same way. Nothing takes time but readings of the clock and ways of messages, with each of which
 * goes another that says when it arrives; so a job always comes to the same.
 *
 * LEADLINE_WAYS="READING:UP:DOWN:SPREAD": a reading takes READING ns, a message to a higher rank
 * UP and to a lower one DOWN, and up to SPREAD ns more, by chance that is always the same.
 * LEADLINE_CLOCKS="AHEAD:PPM,AHEAD:PPM,...": by rank, how many ns its clock shows more when time
 * begins, at START_NS, and how many microseconds it gains in a second. Ranks that aren't named have
 * clocks that are right.
 */
#include "virtual_ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "transport/transport.h"

enum { SECOND_NS = 1000000000, START_NS = SECOND_NS, MILLION = 1000000 };

void __real_tp_send(const void *from, size_t bytes, int peer, int tag);
void __wrap_tp_send(const void *from, size_t bytes, int peer, int tag);
void __real_tp_recv(void *to, size_t bytes, int peer, int tag);
void __wrap_tp_recv(void *to, size_t bytes, int peer, int tag);
void __real_tp_sendrecv(const void *from, size_t send_bytes, int dest, void *to, size_t recv_bytes,
                        int source, int tag);
void __wrap_tp_sendrecv(const void *from, size_t send_bytes, int dest, void *to, size_t recv_bytes,
                        int source, int tag);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);

static struct {
    long reading_ns, up_ns, down_ns, spread_ns;
    long ahead_ns, ppm;
} said;

static int64_t now_ns;
static uint64_t chance;

static void read_clock_of(int rank)
{
    const char *clocks = getenv("LEADLINE_CLOCKS");
    for (; clocks && rank > 0; rank--) {
        clocks = strchr(clocks, ',');
        clocks = clocks ? clocks + 1 : NULL;
    }
    if (clocks && sscanf(clocks, "%ld:%ld", &said.ahead_ns, &said.ppm) != 2)
        abort();
}

static void begin(void)
{
    const char *ways = getenv("LEADLINE_WAYS"), *word = getenv("LEADLINE_RANK");
    const int rank = word ? atoi(word) : 0;
    if (now_ns)
        return;
    if (!ways || sscanf(ways, "%ld:%ld:%ld:%ld", &said.reading_ns, &said.up_ns, &said.down_ns,
                        &said.spread_ns) != 4)
        abort();
    read_clock_of(rank);
    chance = (uint64_t)rank + 1;
    now_ns = START_NS;
}

/* A linear congruential generator (Knuth's MMIX). */
static int64_t by_chance(int64_t most)
{
    chance = chance * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((chance >> 33) % (uint64_t)(most + 1));
}

void virtual_wait_ns(int64_t ns)
{
    begin();
    now_ns += ns;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    (void)clock;
    begin();
    now_ns += said.reading_ns;
    const int64_t gained_ns = (now_ns - START_NS) * said.ppm / MILLION;
    const int64_t shown_ns = now_ns + said.ahead_ns + gained_ns;
    *time = (struct timespec){shown_ns / SECOND_NS, shown_ns % SECOND_NS};
    return 0;
}

/* When a message that is sent now is there. */
static int64_t arrival_ns(int peer)
{
    begin();
    return now_ns + (peer > tp_rank() ? said.up_ns : said.down_ns) + by_chance(said.spread_ns);
}

static void await(int64_t arrival)
{
    begin();
    now_ns = arrival > now_ns ? arrival : now_ns;
}

void __wrap_tp_send(const void *from, size_t bytes, int peer, int tag)
{
    const int64_t arrival = arrival_ns(peer);
    __real_tp_send(from, bytes, peer, tag);
    __real_tp_send(&arrival, sizeof arrival, peer, tag);
}

void __wrap_tp_recv(void *to, size_t bytes, int peer, int tag)
{
    int64_t arrival;
    __real_tp_recv(to, bytes, peer, tag);
    __real_tp_recv(&arrival, sizeof arrival, peer, tag);
    await(arrival);
}

void __wrap_tp_sendrecv(const void *from, size_t send_bytes, int dest, void *to, size_t recv_bytes,
                        int source, int tag)
{
    const int64_t mine = arrival_ns(dest);
    int64_t arrival;
    __real_tp_sendrecv(from, send_bytes, dest, to, recv_bytes, source, tag);
    __real_tp_sendrecv(&mine, sizeof mine, dest, &arrival, sizeof arrival, source, tag);
    await(arrival);
}
