#include "core/decision.h"

#include <stdio.h>

#include "saying.h"

enum { MOST_PHRASE = 256 };

/** Two mappings by all metrics, and the bound of the one that counts. */
struct contrast {
    struct map_metrics before, after;
    double bound;
    int32_t method; /**< that found the second */
};

static double value(const struct map_metrics *metrics, int metric)
{
    switch (metric) {
    case MAP_HOPS:
        return metrics->average_hops;
    case MAP_LOAD:
        return metrics->max_link_load;
    case MAP_HOP_BYTES:
        return metrics->hop_bytes;
    default:
        return metrics->internode_edges;
    }
}

static const char *const names[MAP_METRICS] = {
    [MAP_HOPS] = "average hops",
    [MAP_LOAD] = "busiest link",
    [MAP_INTERNODE] = "edges between nodes",
    [MAP_HOP_BYTES] = "hop-bytes",
};

/** What a gain is called, with both values: nodes always, hops in a torus, links if asked for. */
static void phrase_gain(const struct contrast *both, const struct map_machine *machine, int metric,
                        char *text)
{
    const struct map_metrics *a = &both->before, *b = &both->after;
    int used = snprintf(
        text, MOST_PHRASE, "edges between nodes %.6g -> %.6g, of the busiest node %.6g -> %.6g",
        a->internode_edges, b->internode_edges, a->max_node_edges, b->max_node_edges);
    if (machine->kind == MAP_TORUS || metric == MAP_HOPS)
        used += snprintf(text + used, (size_t)(MOST_PHRASE - used), ", average hops %.4g -> %.4g",
                         a->average_hops, b->average_hops);
    if (metric == MAP_LOAD)
        snprintf(text + used, (size_t)(MOST_PHRASE - used), ", busiest link %.6g -> %.6g",
                 a->max_link_load, b->max_link_load);
    if (metric == MAP_HOP_BYTES)
        snprintf(text + used, (size_t)(MOST_PHRASE - used), ", hop-bytes %.6g -> %.6g",
                 a->hop_bytes, b->hop_bytes);
}

static void say_gain(const char *call, const struct contrast *both,
                     const struct map_machine *machine, const struct settings *settings)
{
    char gain[MOST_PHRASE];
    const bool optimal = map_reaches(value(&both->after, settings->metric), both->bound);
    phrase_gain(both, machine, settings->metric, gain);
    say("%s: %s (%s%s%s)%s", call, gain, map_method_name(both->method),
        optimal ? ", proven optimal: " : "", optimal ? names[settings->metric] : "",
        settings->report ? "; LEADLINE_MAP=report, ranks stay" : "");
}

/** That nothing is gained: because nothing can be, or because nothing was found. */
static void say_none(const char *call, const struct contrast *both, int metric)
{
    const double now = value(&both->before, metric);
    if (map_reaches(now, both->bound))
        say("%s: nothing to gain, ranks stay (%s %.6g, proven optimal)", call, names[metric], now);
    else
        say("%s: nothing better found, ranks stay (%s %.6g, lower bound %.6g)", call, names[metric],
            now, both->bound);
}

static void set_identity(int64_t *permutation, int64_t ranks)
{
    for (int64_t rank = 0; rank < ranks; rank++)
        permutation[rank] = rank;
}

/** The best permutation and what it gains; returns a map_status. */
static int search(const struct map_problem *problem, const struct settings *settings,
                  int64_t *permutation, struct contrast *both)
{
    const int metric = settings->metric;
    int status = map_evaluate(problem, permutation, &both->before);
    if (status == MAP_OK)
        status = map_best(problem, metric, settings->steps, 0, permutation, &both->method);
    if (status == MAP_OK)
        status = map_lower_bound(problem, metric, &both->bound);
    return status == MAP_OK ? map_evaluate(problem, permutation, &both->after) : status;
}

bool decide(const char *call, const struct map_pattern *pattern, const struct map_machine *machine,
            const struct settings *settings, int64_t *permutation)
{
    struct map_problem *problem = NULL;
    struct contrast both;
    bool gains = false;
    set_identity(permutation, machine->slots);
    int status = map_problem_make(pattern, machine, &problem);
    if (status == MAP_OK)
        status = search(problem, settings, permutation, &both);
    if (status != MAP_OK)
        warn("%s: %s; ranks stay", call, map_status_text(status));
    else
        gains = !map_reaches(value(&both.before, settings->metric),
                             value(&both.after, settings->metric));
    if (gains)
        say_gain(call, &both, machine, settings);
    else if (status == MAP_OK)
        say_none(call, &both, settings->metric);
    if (!gains)
        set_identity(permutation, machine->slots);
    map_problem_free(problem);
    return gains;
}
