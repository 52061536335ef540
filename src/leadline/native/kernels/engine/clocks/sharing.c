#include "engine/clocks/sharing.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel/machine.h"
#include "engine/sync.h"
#include "transport/transport.h"

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

const struct sharing *sharing_among_ranks(bool by_host)
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
