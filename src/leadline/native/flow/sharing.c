#include "sharing.h"

#include <math.h>
#include <stdlib.h>

#include "array.h"

/** Rates that differ by less, relatively, are the same: what rounding makes of equal ones. */
static const double ROUNDING = 1e-12;

/* -- memory ------------------------------------------------------------------------------------ */

/** Copies the routes, each with the task's own limit as a resource at its end. */
static void copy_routes(const struct flow_graph *graph, struct sharing *sharing)
{
    int64_t end = 0;
    for (int64_t task = 0; task < graph->tasks; task++) {
        sharing->route_starts[task] = end;
        for (int64_t i = graph->route_starts[task]; i < graph->route_starts[task + 1]; i++)
            sharing->routes[end++] = (int32_t)graph->routes[i];
        if (isfinite(graph->most[task]))
            sharing->routes[end++] = (int32_t)(graph->resources + task);
    }
    sharing->route_starts[graph->tasks] = end;
}

/** Finds room for as many uses as each resource can have. */
static void lay_out(struct sharing *sharing, int64_t resources)
{
    const int64_t all = sharing->route_starts[sharing->graph->tasks];
    for (int64_t i = 0; i < all; i++)
        sharing->use_starts[sharing->routes[i] + 1]++;
    for (int64_t resource = 0; resource < resources; resource++)
        sharing->use_starts[resource + 1] += sharing->use_starts[resource];
}

int sharing_make(const struct flow_graph *graph, struct sharing *sharing)
{
    const int64_t tasks = graph->tasks, resources = graph->resources + tasks;
    const int64_t most = graph->route_starts[tasks] + tasks;
    *sharing = (struct sharing){
        .graph = graph,
        .route_starts = array_of(tasks + 1, sizeof *sharing->route_starts),
        .routes = array_of(most, sizeof *sharing->routes),
        .places = array_of(most, sizeof *sharing->places),
        .use_starts = array_of(resources + 1, sizeof *sharing->use_starts),
        .uses = array_of(most, sizeof *sharing->uses),
        .flows = array_of(resources, sizeof *sharing->flows),
        .level = array_of(resources, sizeof *sharing->level),
        .held = array_of(resources, sizeof *sharing->held),
        .rate = array_of(tasks, sizeof *sharing->rate),
        .bottleneck = array_of(tasks, sizeof *sharing->bottleneck),
        .before = array_of(tasks, sizeof *sharing->before),
        .changed = array_of(tasks, sizeof *sharing->changed),
        .touched = array_of(resources, sizeof *sharing->touched),
        .is_touched = array_of(resources, sizeof *sharing->is_touched),
    };
    const bool room = queue_make(resources, &sharing->pending) && sharing->route_starts &&
                      sharing->routes && sharing->places && sharing->use_starts && sharing->uses &&
                      sharing->flows && sharing->level && sharing->held && sharing->rate &&
                      sharing->bottleneck && sharing->before && sharing->changed &&
                      sharing->touched && sharing->is_touched;
    if (!room)
        return FLOW_NO_MEMORY;
    for (int64_t task = 0; task < tasks; task++)
        sharing->before[task] = -1;
    copy_routes(graph, sharing);
    lay_out(sharing, resources);
    return FLOW_OK;
}

void sharing_free(struct sharing *sharing)
{
    void *const arrays[] = {sharing->route_starts, sharing->routes,    sharing->places,
                            sharing->use_starts,   sharing->uses,      sharing->flows,
                            sharing->level,        sharing->held,      sharing->rate,
                            sharing->bottleneck,   sharing->before,    sharing->changed,
                            sharing->touched,      sharing->is_touched};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    queue_free(&sharing->pending);
}

/* -- flows that come, go and change ------------------------------------------------------------ */

/** Notes that flows came to `resource` or left it. */
static void touch(struct sharing *sharing, int32_t resource)
{
    if (!sharing->is_touched[resource]) {
        sharing->is_touched[resource] = true;
        sharing->touched[sharing->touches++] = resource;
    }
}

/** Looks at `resource` when the filling comes to `level`, if not before. */
static void look_at(struct sharing *sharing, int32_t resource, double level)
{
    if (!queue_has_by(&sharing->pending, resource, level))
        queue_put(&sharing->pending, resource, level);
}

/** Gives `task` another rate, held by `bottleneck` or, if that is -1, by nothing. */
static void set_rate(struct sharing *sharing, int32_t task, double rate, int32_t bottleneck)
{
    if (sharing->before[task] < 0) {
        sharing->before[task] = sharing->rate[task];
        sharing->changed[sharing->changes++] = task;
    }
    if (sharing->bottleneck[task] >= 0)
        sharing->held[sharing->bottleneck[task]]--;
    if (bottleneck >= 0)
        sharing->held[bottleneck]++;
    sharing->rate[task] = rate;
    sharing->bottleneck[task] = bottleneck;
}

void sharing_add(struct sharing *sharing, int32_t task)
{
    const int64_t start = sharing->route_starts[task], end = sharing->route_starts[task + 1];
    for (int64_t i = start; i < end; i++) {
        const int32_t resource = sharing->routes[i];
        sharing->places[i] = sharing->flows[resource]++;
        sharing->uses[sharing->use_starts[resource] + sharing->places[i]] =
            (struct use){task, (int32_t)(i - start)};
        touch(sharing, resource);
    }
    sharing->bottleneck[task] = -1;
    set_rate(sharing, task, INFINITY, -1);
}

void sharing_remove(struct sharing *sharing, int32_t task)
{
    const int64_t start = sharing->route_starts[task], end = sharing->route_starts[task + 1];
    for (int64_t i = start; i < end; i++) {
        const int32_t resource = sharing->routes[i];
        struct use *const uses = sharing->uses + sharing->use_starts[resource];
        const struct use last = uses[--sharing->flows[resource]];
        uses[sharing->places[i]] = last;
        sharing->places[sharing->route_starts[last.task] + last.hop] = sharing->places[i];
        touch(sharing, resource);
    }
    if (sharing->bottleneck[task] >= 0)
        sharing->held[sharing->bottleneck[task]]--;
}

void sharing_accept(struct sharing *sharing)
{
    for (int32_t i = 0; i < sharing->changes; i++)
        sharing->before[sharing->changed[i]] = -1;
    sharing->changes = 0;
}

/* -- filling ----------------------------------------------------------------------------------- */

/** B/s of `resource` with the flows that it has. */
static double capacity_of(const struct sharing *sharing, int32_t resource)
{
    const struct flow_graph *graph = sharing->graph;
    if (resource >= graph->resources)
        return graph->most[resource - graph->resources];
    if (graph->crowd && sharing->flows[resource] > graph->crowd[resource])
        return graph->capacity[resource] * graph->crowded[resource];
    return graph->capacity[resource];
}

/** What the flows of `resource` do while all are filled to a level. */
struct filling {
    int32_t rising; /**< flows that nothing else holds below the level */
    double used;    /**< B/s of all others */
};

static struct filling fill(const struct sharing *sharing, int32_t resource, double level)
{
    const struct use *uses = sharing->uses + sharing->use_starts[resource];
    struct filling filling = {0, 0};
    for (int32_t i = 0; i < sharing->flows[resource]; i++) {
        const int32_t task = uses[i].task;
        const double rate = sharing->rate[task];
        if (rate >= level || sharing->bottleneck[task] == resource)
            filling.rising++;
        else
            filling.used += rate;
    }
    return filling;
}

/**
 * The level at which `resource` fills up, while what others hold stays below it or rises with it;
 * INFINITY: it doesn't. Newton's method on a concave function: after the first step from below.
 */
static double full_at(const struct sharing *sharing, int32_t resource)
{
    const double capacity = capacity_of(sharing, resource);
    for (double level = INFINITY; capacity < INFINITY;) {
        const struct filling filling = fill(sharing, resource, level);
        if (filling.rising == 0 && filling.used <= capacity * (1 + ROUNDING))
            return level;
        const double next = filling.rising > 0 ? (capacity - filling.used) / filling.rising
                                               : capacity / sharing->flows[resource];
        if (level < INFINITY && next <= level)
            return level;
        level = next;
    }
    return INFINITY;
}

/** The level at which `resource` was full till now; INFINITY: no flow is held by it. */
static double held_at(const struct sharing *sharing, int32_t resource)
{
    return sharing->held[resource] > 0 ? sharing->level[resource] : INFINITY;
}

/** The flows that `resource`, full at `level`, held back till now rise on. */
static void release(struct sharing *sharing, int32_t resource, double level)
{
    const struct use *uses = sharing->uses + sharing->use_starts[resource];
    for (int32_t i = 0; i < sharing->flows[resource]; i++) {
        const int32_t task = uses[i].task;
        if (sharing->bottleneck[task] != resource)
            continue;
        set_rate(sharing, task, INFINITY, -1);
        for (int64_t k = sharing->route_starts[task]; k < sharing->route_starts[task + 1]; k++)
            if (sharing->routes[k] != resource)
                look_at(sharing, sharing->routes[k], level);
    }
}

/** `resource` is full at `level`: none of its flows rises above that. */
static void hold(struct sharing *sharing, int32_t resource, double level)
{
    const struct use *uses = sharing->uses + sharing->use_starts[resource];
    sharing->level[resource] = level;
    for (int32_t i = 0; i < sharing->flows[resource]; i++) {
        const int32_t task = uses[i].task;
        const double rate = sharing->rate[task];
        if (rate <= level * (1 + ROUNDING))
            continue;
        set_rate(sharing, task, level, resource);
        if (rate == INFINITY) /* what it shares with others is looked at since it rises */
            continue;
        for (int64_t k = sharing->route_starts[task]; k < sharing->route_starts[task + 1]; k++) {
            const int32_t other = sharing->routes[k];
            if (sharing->held[other] > 0 && other != resource)
                look_at(sharing, other, sharing->level[other]);
        }
    }
}

/** Queues what flows came to or left, by the level at which it is full now, or was till now. */
static void begin_filling(struct sharing *sharing)
{
    for (int32_t i = 0; i < sharing->touches; i++) {
        const int32_t resource = sharing->touched[i];
        sharing->is_touched[resource] = false;
        const double level = fmin(full_at(sharing, resource), held_at(sharing, resource));
        if (level < INFINITY)
            queue_put(&sharing->pending, resource, level);
    }
    sharing->touches = 0;
}

void sharing_solve(struct sharing *sharing)
{
    begin_filling(sharing);
    while (sharing->pending.count > 0) {
        const struct queued next = queue_take(&sharing->pending);
        const int32_t resource = next.number;
        const double full = full_at(sharing, resource), held = held_at(sharing, resource);
        if (fmin(full, held) > next.key) {
            if (fmin(full, held) < INFINITY)
                queue_put(&sharing->pending, resource, fmin(full, held));
        } else if (full > held * (1 + ROUNDING)) {
            release(sharing, resource, next.key);
            look_at(sharing, resource, fmax(full, next.key));
        } else {
            hold(sharing, resource, fmax(full, next.key));
        }
    }
}
