/**
 * Checks that ranks sleep while they wait, and that whoever waits takes in what others send: no
 * order of large messages is a deadlock, whatever room there is on the way. Over trace alone.
 *
 *   waiting           every fact below; ends with status 0 if all hold
 *   waiting crossing  sends that cross, and nothing else
 */
#include <sys/resource.h>
#include <time.h>

#include "facts.h"

enum {
    TAG = 7,
    PID = 8,
    LARGE = 8 << 20, /* more than any pipe holds */
    ABSENT_MS = 1000,
    LOOK_MS = 5,
    MOST_BUSY_MS = 100, /* of processor time while a peer is away; who spins takes most of it */
    SPUN_MS = 3 * MOST_BUSY_MS, /* a look ends that finds nobody asleep, however few it is given */
    BLOCK_BYTES = 4096,
    EACH = 300,
    MOST_RANKS = 64,
};

static int64_t pids[MOST_RANKS];

static void know_each_other(void)
{
    const int64_t mine = getpid();
    for (int step = 1; step < size; step++) {
        const int next = (rank + step) % size, previous = (rank + size - step) % size;
        tp_sendrecv(&mine, sizeof mine, next, &pids[previous], sizeof mine, previous, PID);
    }
}

static int64_t processor_ms(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (use.ru_utime.tv_sec + use.ru_stime.tv_sec) * INT64_C(1000) +
           (use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1000;
}

/** Another rank's processor time; `sleeps`: whether it is asleep, or no more. */
static int64_t seen_of(int peer, bool *sleeps)
{
    char path[64], state = 'X';
    unsigned long long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%" PRId64 "/stat", pids[peer]);
    FILE *file = fopen(path, "r");
    if (file) {
        /* Fields 3, 14 and 15 of proc(5); the name, field 2, has no parenthesis within. */
        if (fscanf(file, "%*d (%*[^)]) %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu",
                   &state, &user, &system) != 3)
            state = 'R';
        fclose(file);
    }
    *sleeps = strchr("SZX", state) != NULL;
    return (int64_t)(user + system) * 1000 / sysconf(_SC_CLK_TCK);
}

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/**
 * Until each of the others that wait meanwhile, `first` to `last`, was given the processor: it has
 * either gone to sleep or spun. A machine that is busy gives it none for seconds.
 */
static void be_away(int first, int last)
{
    bool sleeps = false;
    for (int peer = first; peer <= last; peer++) {
        const int64_t before = seen_of(peer, &sleeps);
        while (!sleeps && seen_of(peer, &sleeps) - before <= SPUN_MS)
            pause_ms(LOOK_MS);
    }
    pause_ms(ABSENT_MS);
}

static void require_slept(int64_t before_ms)
{
    const int64_t busy_ms = processor_ms() - before_ms;
    require(busy_ms <= MOST_BUSY_MS, "ms of processor time while it waited", busy_ms, 0);
}

static void who_waits_for_a_message_sleeps(void)
{
    const int64_t before = processor_ms();
    for (int peer = 1; peer < size && rank == 0; peer++) {
        if (peer == 1)
            be_away(1, size - 1);
        tell(peer);
    }
    if (rank > 0)
        hear(0);
    require_slept(before);
}

static void who_waits_at_a_barrier_sleeps(void)
{
    const int64_t before = processor_ms();
    if (rank == 0)
        be_away(1, size - 1);
    tp_barrier();
    require_slept(before);
}

static void who_waits_for_a_flag_sleeps(void)
{
    uint64_t *flag = tp_symmetric_block(BLOCK_BYTES);
    *flag = 0;
    tp_barrier();
    const int64_t before = processor_ms();
    if (rank == 0)
        be_away(1, size - 1);
    for (int peer = 1; peer < size && rank == 0; peer++)
        tp_put_flag(flag, flag, 0, flag, 1, peer);
    if (rank > 0)
        tp_wait_until(flag, 1);
    require_slept(before);
}

/* What fits no pipe leaves only as its receiver takes it in: `before` is its receiver's. */
static void who_waits_for_room_sleeps(void)
{
    if (size == 1 || rank > 1)
        return;
    fill(out, LARGE, 1);
    const int64_t before = processor_ms();
    if (rank == 1)
        be_away(0, 0);
    if (rank == 0) {
        tp_send(out, 200000, 1, TAG);
        require_slept(before);
    } else {
        tp_recv(in, 200000, 0, TAG);
        require_received(in, 200000, 1);
    }
}

static void message_longer_than_all_pipes_arrives(void)
{
    const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    fill(out, LARGE, rank);
    tp_sendrecv(out, LARGE, next, in, LARGE, previous, TAG);
    require_received(in, LARGE, previous);
}

/* All send before anybody receives. */
static void sends_that_cross_are_no_deadlock(void)
{
    const size_t bytes = LARGE / (size_t)size;
    fill(out, bytes, rank);
    for (int step = 1; step < size; step++)
        tp_send(out, bytes, (rank + step) % size, TAG);
    for (int step = 1; step < size; step++) {
        const int source = (rank + step) % size;
        tp_recv(in, bytes, source, TAG);
        require_received(in, bytes, source);
    }
}

/* Pieces of many ranks' messages lie between each other in one pipe. */
static void many_who_send_to_one_at_once_are_kept_apart(void)
{
    static int received[MOST_RANKS];
    for (int i = 0; i < EACH && rank > 0; i++) {
        fill(out, size_of(i), rank * EACH + i);
        tp_send(out, size_of(i), 0, TAG);
    }
    for (int i = 0; i < EACH * (size - 1) && rank == 0; i++) {
        const int source = tp_recv_any(in, LARGE, TAG);
        const int number = received[source]++;
        require_received(in, size_of(number), source * EACH + number);
    }
}

/* Who is asked for its memory sends a large message meanwhile, to the one who asks. */
static void who_sends_serves_others_meanwhile(void)
{
    unsigned char *block = tp_symmetric_block(LARGE);
    fill(block, LARGE, rank);
    tp_barrier();
    if (rank == 0 && size > 1) {
        tp_get(in, block, LARGE, 1);
        require_received(in, LARGE, 1);
        tp_recv(in, LARGE, 1, TAG);
        require_received(in, LARGE, 9);
    } else if (rank == 1) {
        fill(out, LARGE, 9);
        tp_send(out, LARGE, 0, TAG);
    }
}

static const struct fact FACTS[] = {
    FACT(who_waits_for_a_message_sleeps),
    FACT(who_waits_at_a_barrier_sleeps),
    FACT(who_waits_for_a_flag_sleeps),
    FACT(who_waits_for_room_sleeps),
    FACT(message_longer_than_all_pipes_arrives),
    FACT(sends_that_cross_are_no_deadlock),
    FACT(many_who_send_to_one_at_once_are_kept_apart),
    FACT(who_sends_serves_others_meanwhile),
};

int main(int argc, char **argv)
{
    facts_begin(&argc, &argv, LARGE);
    if (argc > 1 && strcmp(argv[1], "crossing") == 0)
        sends_that_cross_are_no_deadlock();
    else {
        know_each_other();
        facts_check(FACTS, sizeof FACTS / sizeof *FACTS);
    }
    facts_end();
    return EXIT_SUCCESS;
}
