#include "engine/prepare/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel/progress.h"
#include "engine/sync.h"

enum { TRIALS = 9, SPEED_TRIALS = 99, SPEED_ITERATIONS = 10000, TESTED_PARTS = 8 };

/** What the amount is kept for. */
struct operation {
    int64_t length_ns; /* that was asked for, beside whatever operation; 0: the operation's */
    const struct pattern *pattern;
    size_t size_bytes;
    enum buffers buffers;
    int root;
    int chosen[OPTIONS];
};

struct amount {
    struct operation operation;
    long iterations;
};

static int64_t least_of(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

static double iterations_per_ns(void)
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < SPEED_TRIALS; i++) {
        const int64_t start = clock_now_ns();
        compute(SPEED_ITERATIONS);
        least = least_of(least, clock_now_ns() - start);
    }
    return (double)SPEED_ITERATIONS / (double)(least > 0 ? least : 1);
}

static int ascending(const void *one, const void *other)
{
    const int64_t first = *(const int64_t *)one, second = *(const int64_t *)other;
    return (first > second) - (first < second);
}

/* The median of some times of the operation without computation on this rank. */
static int64_t time_alone(const struct pattern *pattern, struct cell cell, int participants)
{
    int64_t elapsed[TRIALS];
    cell.chosen[OPTION_OVERLAP] = OVERLAP_NONE;
    cell.work = (struct work){0, 0};
    for (int i = 0; i < TRIALS; i++) {
        sync_barrier(participants);
        const int64_t start = clock_now_ns();
        pattern->run(&cell, i, i + 1);
        elapsed[i] = clock_now_ns() - start;
    }
    qsort(elapsed, TRIALS, sizeof *elapsed, ascending);
    return elapsed[TRIALS / 2];
}

/* As long as was asked for, or as the slowest rank takes, in rank 0's iterations. */
static long measure(struct operation operation, const struct cell *cell, int participants)
{
    const int64_t length =
        operation.length_ns
            ? operation.length_ns
            : sync_max(time_alone(operation.pattern, *cell, participants), participants);
    int64_t iterations = cell->rank == 0 ? (int64_t)((double)length * iterations_per_ns()) + 1 : 0;
    sync_broadcast(&iterations, participants);
    return (long)iterations;
}

static struct operation operation_of(const struct params *params)
{
    struct operation operation;
    memset(&operation, 0, sizeof operation); /* padding too: operations are compared as bytes */
    operation.length_ns = params->choices.numbers[OPTION_WORK];
    if (operation.length_ns)
        return operation;
    operation.pattern = params->pattern;
    operation.size_bytes = params->size_bytes;
    operation.buffers = params->buffers;
    operation.root = params->root;
    memcpy(operation.chosen, params->choices.chosen, sizeof operation.chosen);
    operation.chosen[OPTION_OVERLAP] = OVERLAP_NONE;
    return operation;
}

static long amount_for(const struct params *params, const struct cell *cell, int participants)
{
    static struct amount *kept;
    static size_t count;
    const struct operation operation = operation_of(params);
    for (size_t i = 0; i < count; i++)
        if (memcmp(&kept[i].operation, &operation, sizeof operation) == 0)
            return kept[i].iterations;
    struct amount *grown = realloc(kept, (count + 1) * sizeof *kept);
    if (!grown) {
        fprintf(stderr, "leadline kernel: no memory for %zu amounts of work\n", count + 1);
        abort();
    }
    kept = grown;
    progress_enter(params->id, PHASE_CALIBRATION);
    kept[count] = (struct amount){operation, measure(operation, cell, participants)};
    return kept[count++].iterations;
}

void work_arrange(const struct params *params, struct cell *cell, int participants)
{
    const int word = cell->chosen[OPTION_OVERLAP];
    if (!(params->pattern->options & 1u << OPTION_OVERLAP) || word == OVERLAP_NONE)
        return;
    const int parts = word == OVERLAP_TESTED ? TESTED_PARTS : 1;
    cell->work = (struct work){amount_for(params, cell, participants) / parts, parts};
}
