#include "flow.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "array.h"
#include "queue.h"
#include "sharing.h"

/* -- what a graph must be ---------------------------------------------------------------------- */

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

/** FLOW_OK, or what is wrong and the number of the resource or task that it is wrong with. */
static int check_graph(const struct flow_graph *graph, int64_t *culprit)
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

/* -- the run ----------------------------------------------------------------------------------- */

/** Events that are closer, relatively, happen together. */
static const double TOGETHER = 1e-9;

/** Rates that change, or events, from one word to who watches to the next: some milliseconds. */
enum { STEPS_UNWATCHED = 1 << 14 };

/** Tasks on their way. */
struct schedule {
    const struct flow_graph *graph;
    int64_t *next_starts; /**< [tasks + 2] where the tasks that come after each one begin */
    int32_t *next;        /**< [next_starts[tasks]] these */
    int64_t *awaited;     /**< [tasks] tasks that have to end before this one begins */
    double *left;         /**< [tasks] bytes that weren't moved at `since` */
    double *since;        /**< [tasks] */
    bool *moving;         /**< [tasks] whether the task is a flow */
    struct queue events;  /**< tasks whose delay or flow ends, by when */
    struct sharing sharing;
    flow_watch *watch;
    int64_t steps; /**< since who watches was told */
    int64_t over;  /**< tasks that have ended */
    double *begun;
    double *ended;
};

const char *flow_status_text(int status)
{
    static const char *const texts[] = {
        [FLOW_OK] = "all is well",
        [FLOW_NO_MEMORY] = "the memory doesn't suffice",
        [FLOW_TOO_LARGE] = "tasks and resources together are 2^31 or more",
        [FLOW_BAD_CAPACITY] = "a capacity is not above 0",
        [FLOW_BAD_CROWD] = "a crowd is below 0, or its factor is not above 0 and finite",
        [FLOW_BAD_DELAY] = "a delay is negative, infinite or not a number",
        [FLOW_BAD_BYTES] = "an amount of bytes is negative, infinite or not a number",
        [FLOW_BAD_MOST] = "a limit of a task's rate is not above 0",
        [FLOW_BAD_ROUTE] = "a route has something that is no resource, or one twice",
        [FLOW_BAD_AFTER] = "a task comes after something that is no task",
        [FLOW_CIRCLE] = "tasks wait for each other in a circle",
        [FLOW_STOPPED] = "it was stopped",
    };
    const int known = (int)(sizeof texts / sizeof *texts);
    return status >= 0 && status < known ? texts[status] : "an unknown status";
}

/** Turns the lists of what each task comes after around. */
static void list_next(const struct flow_graph *graph, struct schedule *schedule)
{
    int64_t *const starts = schedule->next_starts, tasks = graph->tasks;
    for (int64_t i = 0; i < graph->after_starts[tasks]; i++)
        starts[graph->after[i] + 2]++;
    for (int64_t task = 0; task < tasks; task++)
        starts[task + 2] += starts[task + 1];
    for (int64_t task = 0; task < tasks; task++) {
        schedule->awaited[task] = graph->after_starts[task + 1] - graph->after_starts[task];
        for (int64_t i = graph->after_starts[task]; i < graph->after_starts[task + 1]; i++)
            schedule->next[starts[graph->after[i] + 1]++] = (int32_t)task;
    }
}

static int schedule_make(const struct flow_graph *graph, struct schedule *schedule)
{
    const int64_t tasks = graph->tasks;
    *schedule = (struct schedule){
        .graph = graph,
        .next_starts = array_of(tasks + 2, sizeof *schedule->next_starts),
        .next = array_of(graph->after_starts[tasks], sizeof *schedule->next),
        .awaited = array_of(tasks, sizeof *schedule->awaited),
        .left = array_of(tasks, sizeof *schedule->left),
        .since = array_of(tasks, sizeof *schedule->since),
        .moving = array_of(tasks, sizeof *schedule->moving),
    };
    const bool room = queue_make(tasks, &schedule->events) && schedule->next_starts &&
                      schedule->next && schedule->awaited && schedule->left && schedule->since &&
                      schedule->moving;
    if (sharing_make(graph, &schedule->sharing) != FLOW_OK || !room)
        return FLOW_NO_MEMORY;
    list_next(graph, schedule);
    return FLOW_OK;
}

static void schedule_free(struct schedule *schedule)
{
    sharing_free(&schedule->sharing);
    queue_free(&schedule->events);
    free(schedule->next_starts);
    free(schedule->next);
    free(schedule->awaited);
    free(schedule->left);
    free(schedule->since);
    free(schedule->moving);
}

/** `task` begins to wait its delay. */
static void begin(struct schedule *schedule, int32_t task, double now)
{
    schedule->begun[task] = now;
    queue_put(&schedule->events, task, now + schedule->graph->delay_s[task]);
}

/** `task` begins to move its bytes; when they are there is known once the rates are. */
static void move(struct schedule *schedule, int32_t task, double now)
{
    schedule->moving[task] = true;
    schedule->left[task] = schedule->graph->bytes[task];
    schedule->since[task] = now;
    sharing_add(&schedule->sharing, task);
}

/** `task` ends; those begin that waited for it alone. */
static void end(struct schedule *schedule, int32_t task, double now)
{
    schedule->ended[task] = now;
    schedule->over++;
    if (schedule->moving[task])
        sharing_remove(&schedule->sharing, task);
    for (int64_t i = schedule->next_starts[task]; i < schedule->next_starts[task + 1]; i++)
        if (--schedule->awaited[schedule->next[i]] == 0)
            begin(schedule, schedule->next[i], now);
}

/** Shares the resources anew, and says when flows end whose rate is another one now. */
static void share(struct schedule *schedule, double now)
{
    struct sharing *const sharing = &schedule->sharing;
    sharing_solve(sharing);
    schedule->steps += 1 + sharing->changes;
    for (int32_t i = 0; i < sharing->changes; i++) {
        const int32_t task = sharing->changed[i];
        const double rate = sharing->rate[task], before = sharing->before[task];
        if (rate == before)
            continue;
        if (before > 0)
            schedule->left[task] -= before * (now - schedule->since[task]);
        schedule->since[task] = now;
        queue_put(&schedule->events, task, now + fmax(schedule->left[task], 0) / rate);
    }
    sharing_accept(sharing);
}

/** Takes the events of one moment one by one, then shares the resources. */
static void step(struct schedule *schedule)
{
    struct queue *const events = &schedule->events;
    const double until = events->heap[0].key * (1 + TOGETHER);
    double now = 0;
    while (events->count > 0 && events->heap[0].key <= until) {
        const struct queued event = queue_take(events);
        const int32_t task = event.number;
        now = event.key;
        if (schedule->graph->bytes[task] > 0 && !schedule->moving[task])
            move(schedule, task, now);
        else
            end(schedule, task, now);
    }
    share(schedule, now);
}

/** Whether to go on: who watches is asked if a while has passed. */
static bool goes_on(struct schedule *schedule)
{
    if (schedule->steps < STEPS_UNWATCHED || !schedule->watch)
        return true;
    schedule->steps = 0;
    int go_on = 0;
    schedule->watch(schedule->over, &go_on);
    return go_on;
}

/** Runs all tasks. */
static int run(struct schedule *schedule)
{
    const int64_t tasks = schedule->graph->tasks;
    for (int64_t task = 0; task < tasks; task++)
        schedule->begun[task] = schedule->ended[task] = NAN;
    for (int64_t task = 0; task < tasks; task++)
        if (schedule->awaited[task] == 0)
            begin(schedule, (int32_t)task, 0);
    while (schedule->events.count > 0) {
        step(schedule);
        if (!goes_on(schedule))
            return FLOW_STOPPED;
    }
    return schedule->over == tasks ? FLOW_OK : FLOW_CIRCLE;
}

int flow_run(const struct flow_graph *graph, flow_watch *watch, double *begun, double *ended,
             int64_t *culprit)
{
    struct schedule schedule;
    int status = check_graph(graph, culprit);
    if (status != FLOW_OK)
        return status;
    status = schedule_make(graph, &schedule);
    schedule.watch = watch;
    schedule.begun = begun;
    schedule.ended = ended;
    if (status == FLOW_OK)
        status = run(&schedule);
    schedule_free(&schedule);
    return status;
}
