/**
 * A rank that takes HANDOVERS slices and hands a cache line over after each; it writes
 * "<rank> <slice> <round trip, ns>" of each to the standard output.
 * Before each, partners meet in the file "$MEETING.0", as slices let them. LEADLINE_FAULT is one
 * of:
 *
 *   interrupted  rank 1 has no core for a while, again and again, wherever it is
 *   absent       rank 1 is there and takes no slice
 *   elsewhere    rank 1 takes other slices
 *   killed       rank 1 ends in the middle
 */
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "channel/clock.h"
#include "channel/handover.h"
#include "channel/pages.h"

enum { MOST_RANKS = 4, EVERY_US = 300, FOR_NS = 100000, APART = 1000 };

static _Atomic int64_t *reached; /* by each rank: how many slices */

static bool has_fault(const char *name)
{
    const char *fault = getenv("LEADLINE_FAULT");
    return fault && strcmp(fault, name) == 0;
}

static void lose_core(int signal)
{
    (void)signal;
    clock_spin_ns(FOR_NS);
}

static void interrupt_often(void)
{
    const struct itimerval often = {{0, EVERY_US}, {0, EVERY_US}};
    const struct sigaction action = {.sa_handler = lose_core, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
}

static void meet(int rank, int64_t slice)
{
    atomic_store(&reached[rank], slice);
    while (atomic_load(&reached[handover_partner(rank)]) < slice)
        sched_yield();
}

static void end_in_the_middle(int rank)
{
    atomic_store(&reached[rank], INT64_MAX);
    raise(SIGKILL);
}

static void take_slice(int rank, int64_t slice)
{
    const int64_t found = handover_ns(slice + (rank && has_fault("elsewhere") ? APART : 0));
    printf("%d %" PRId64 " %" PRId64 "\n", rank, slice, found);
}

int main(void)
{
    const int rank = atoi(getenv("LEADLINE_RANK"));
    const int64_t slices = atoi(getenv("HANDOVERS"));
    reached = page_map("MEETING", 0, MOST_RANKS * sizeof *reached);
    handover_open(rank);
    if (rank && has_fault("interrupted"))
        interrupt_often();
    for (int64_t slice = 1; slice <= slices; slice++) {
        meet(rank, slice);
        if (rank && has_fault("killed") && slice > slices / 2)
            end_in_the_middle(rank);
        if (!rank || !has_fault("absent"))
            take_slice(rank, slice);
    }
    return EXIT_SUCCESS;
}
