#include "check.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static bool is_amount(double value)
{
    return isfinite(value) && value >= 0;
}

static int check_resource(const struct flow_graph *graph, int64_t resource)
{
    if (!(graph->capacity[resource] > 0))
        return FLOW_BAD_CAPACITY;
    if (!graph->crowd)
        return FLOW_OK;
    const double crowded = graph->crowded[resource];
    return graph->crowd[resource] >= 0 && isfinite(crowded) && crowded > 0 ? FLOW_OK
                                                                           : FLOW_BAD_CROWD;
}

/** `seen` says of each resource which task's route it was last found in, 1 for task 0. */
static int check_task(const struct flow_graph *graph, int64_t task, int64_t *seen)
{
    if (!is_amount(graph->delay_s[task]))
        return FLOW_BAD_DELAY;
    if (!is_amount(graph->bytes[task]))
        return FLOW_BAD_BYTES;
    if (!(graph->most[task] > 0))
        return FLOW_BAD_MOST;
    for (int64_t i = graph->route_starts[task]; i < graph->route_starts[task + 1]; i++) {
        const int64_t resource = graph->routes[i];
        if (resource < 0 || resource >= graph->resources || seen[resource] == task + 1)
            return FLOW_BAD_ROUTE;
        seen[resource] = task + 1;
    }
    for (int64_t i = graph->after_starts[task]; i < graph->after_starts[task + 1]; i++)
        if (graph->after[i] < 0 || graph->after[i] >= graph->tasks)
            return FLOW_BAD_AFTER;
    return FLOW_OK;
}

/** Whether lists begin at 0 and end where they begin or later; else the one to `culprit`. */
static bool are_starts(const int64_t *starts, int64_t tasks, int64_t *culprit)
{
    *culprit = 0;
    if (starts[0] != 0)
        return false;
    while (*culprit < tasks && starts[*culprit] <= starts[*culprit + 1])
        ++*culprit;
    return *culprit == tasks;
}

int check_graph(const struct flow_graph *graph, int64_t *culprit)
{
    if (graph->tasks >= INT32_MAX || graph->resources >= INT32_MAX - graph->tasks)
        return FLOW_TOO_LARGE;
    if (!are_starts(graph->route_starts, graph->tasks, culprit))
        return FLOW_BAD_ROUTE;
    if (!are_starts(graph->after_starts, graph->tasks, culprit))
        return FLOW_BAD_AFTER;
    int status = FLOW_OK;
    for (int64_t i = 0; i < graph->resources && status == FLOW_OK; i++)
        status = check_resource(graph, *culprit = i);
    int64_t *seen = calloc((size_t)graph->resources + 1, sizeof *seen);
    if (!seen)
        return FLOW_NO_MEMORY;
    for (int64_t i = 0; i < graph->tasks && status == FLOW_OK; i++)
        status = check_task(graph, *culprit = i, seen);
    free(seen);
    return status;
}
