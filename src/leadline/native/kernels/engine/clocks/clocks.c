#include "engine/clocks/clocks.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel/control.h"
#include "channel/machine.h"
#include "channel/progress.h"
#include "channel/words.h"
#include "engine/clocks/model.h"
#include "engine/clocks/pings.h"
#include "engine/sync.h"
#include "transport/transport.h"

/* -- who shares a clock ------------------------------------------------------------------------ */

/* Which ranks read one clock; the lowest of them is the leader. */

/** The clocks of a job, in the order of their lowest ranks: rank 0's, the common one, first. */
struct sharing {
    int clocks;
    const int *leaders;  /* of each clock; rising */
    const int *clock_of; /* of each rank */
};

/* FNV-1a (Fowler, Noll and Vo), of 64 bits. */
static uint64_t hashed(const char *name)
{
    uint64_t hash = 14695981039346656037u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 1099511628211u;
    return hash;
}

static void *room_for(size_t count, size_t bytes)
{
    void *room = calloc(count, bytes);
    if (!room) {
        fprintf(stderr, "leadline kernel: no memory for the clocks of %zu ranks\n", count);
        exit(EXIT_FAILURE);
    }
    return room;
}

/* The clock's name of each rank, on all; its own where messages carry nothing. */
static void exchange(uint64_t *names, uint64_t own, int ranks)
{
    for (int rank = 0; rank < ranks; rank++)
        names[rank] = own;
    sync_gather(names, sizeof *names, ranks);
    sync_broadcast_bytes(names, (size_t)ranks * sizeof *names, ranks);
}

static int clock_named(const uint64_t *names, uint64_t name, const int *leaders, int clocks)
{
    int clock = 0;
    while (clock < clocks && names[leaders[clock]] != name)
        clock++;
    return clock;
}

static struct sharing asked(bool by_host)
{
    const int ranks = tp_size();
    uint64_t *names = room_for((size_t)ranks, sizeof *names);
    int *leaders = room_for((size_t)ranks, sizeof *leaders);
    int *clock_of = room_for((size_t)ranks, sizeof *clock_of);
    int clocks = 0;
    exchange(names, hashed(by_host ? machine_here()->host : machine_here()->clock), ranks);
    for (int rank = 0; rank < ranks; rank++) {
        clock_of[rank] = clock_named(names, names[rank], leaders, clocks);
        if (clock_of[rank] == clocks)
            leaders[clocks++] = rank;
    }
    free(names);
    return (struct sharing){clocks, leaders, clock_of};
}

/*
 * Asks all ranks for their clock, or, if `by_host`, takes each host to have its own; collective, at
 * the first call and where `by_host` is another than before. What is returned stands until then.
 * Exits with a message where there is no memory for it.
 */
static const struct sharing *sharing_among_ranks(bool by_host)
{
    static struct sharing found;
    static bool was_by_host;
    if (found.clocks > 0 && by_host == was_by_host)
        return &found;
    free((void *)found.leaders);
    free((void *)found.clock_of);
    found = asked(by_host);
    was_by_host = by_host;
    return &found;
}

/* -- the common clock -------------------------------------------------------------------------- */

/** What a leader hands to those who read the same clock. */
struct fit {
    struct model model;
    struct reading reading;
    int64_t missed_ns; /* by the model before */
    int64_t count;
};

static struct {
    bool by_host;
    struct readings readings;
    struct fit fit;
} own;

static void start_over(bool by_host)
{
    memset(&own, 0, sizeof own);
    own.by_host = by_host;
}

/* The model first: what it foretold is compared with what is read. */
static void take(struct reading reading)
{
    const int64_t foretold = model_common_ns(&own.fit.model, reading.here_ns);
    own.fit.missed_ns = own.fit.count > 0 ? foretold - reading.common_ns : 0;
    readings_add(&own.readings, reading);
    own.fit.model = model_of(&own.readings);
    own.fit.reading = reading;
    own.fit.count++;
}

static struct reading read_clock_of(int leader)
{
    return pings_read(leader, readings_shortest_ns(&own.readings), own.fit.model.drift);
}

/* Clock number `clock` reads that of `clock` - step, where step is the largest power of two up to
   it, once that one has its fit; then those beyond it read this one. */
static void fit_among_leaders(const struct sharing *sharing, int clock)
{
    int step = 1;
    for (; step <= clock; step *= 2)
        if (clock < 2 * step)
            take(read_clock_of(sharing->leaders[clock - step]));
    for (; clock + step < sharing->clocks; step *= 2)
        pings_answer(sharing->leaders[clock + step], &own.fit.model);
}

static void hand_on(const struct sharing *sharing, int clock)
{
    const int ranks = tp_size(), leader = sharing->leaders[clock];
    if (tp_rank() != leader)
        tp_recv(&own.fit, sizeof own.fit, leader, TAG_FIT);
    for (int rank = leader + 1; tp_rank() == leader && rank < ranks; rank++)
        if (sharing->clock_of[rank] == clock)
            tp_send(&own.fit, sizeof own.fit, rank, TAG_FIT);
}

static void say(int64_t id, int leader)
{
    const struct fit *fit = &own.fit;
    const int64_t here = fit->reading.here_ns;
    control_say("fitted id=%" PRId64 " rank=%d leader=%d fits=%" PRId64 " here_ns=%" PRId64
                " offset_ns=%" PRId64 " drift=%.9g missed_ns=%" PRId64 " error_ns=%" PRId64
                " round_trip_ns=%" PRId64 "\n",
                id, tp_rank(), leader, fit->count, here, here - model_common_ns(&fit->model, here),
                fit->model.drift, fit->missed_ns, fit->reading.error_ns,
                fit->reading.round_trip_ns);
}

static void fit(int64_t id, bool by_host)
{
    progress_enter((long)id, PHASE_CLOCKS);
    if (by_host != own.by_host)
        start_over(by_host);
    const struct sharing *sharing = sharing_among_ranks(by_host);
    const int clock = sharing->clock_of[tp_rank()];
    if (tp_rank() == sharing->leaders[clock])
        fit_among_leaders(sharing, clock);
    if (tp_carries_payload)
        hand_on(sharing, clock);
    say(id, sharing->leaders[clock]);
    progress_enter((long)id, PHASE_IDLE);
}

static bool set(const char *key, const char *text, int64_t *id, int *apart)
{
    static const char *const apart_by[] = {"clocks", "hosts", NULL};
    if (strcmp(key, "id") == 0)
        return words_number(text, id);
    *apart = words_index(apart_by, text);
    return strcmp(key, "apart") == 0 && *apart >= 0;
}

static bool parse(char *rest, int64_t *id, bool *by_host)
{
    const char *command = words_next(&rest);
    int apart = 0;
    if (!command || strcmp(command, "clocks") != 0)
        return false;
    for (char *key; (key = words_next(&rest));) {
        const char *text = words_value(key);
        if (!text || !set(key, text, id, &apart))
            return false;
    }
    *by_host = apart == 1;
    return true;
}

bool clocks_obey(const char *line)
{
    int64_t id = 0;
    bool by_host = false;
    char *copy = strdup(line);
    const bool read = copy && parse(copy, &id, &by_host);
    if (read)
        fit(id, by_host);
    free(copy);
    return read;
}

int64_t clocks_common_ns(int64_t here_ns)
{
    return model_common_ns(&own.fit.model, here_ns);
}

int64_t clocks_here_ns(int64_t common_ns)
{
    return model_here_ns(&own.fit.model, common_ns);
}
