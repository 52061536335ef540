#include "core/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mapping.h"
#include "saying.h"

enum { DEFAULT_STEPS = 300000 /**< as many as `leadline map` tries, so that both find the same */ };

static const char *const metrics[MAP_METRICS] = {
    [MAP_HOPS] = "hops",
    [MAP_LOAD] = "load",
    [MAP_INTERNODE] = "internode",
    [MAP_HOP_BYTES] = "hop-bytes",
};

/** The variable, or NULL where it is unset or empty. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static int metric_named(const char *word)
{
    for (int metric = 0; word && metric < MAP_METRICS; metric++)
        if (!strcmp(word, metrics[metric]))
            return metric;
    if (word)
        warn("LEADLINE_MAP_METRIC=%s is none of hops, load, internode and hop-bytes; internode is "
             "taken",
             word);
    return MAP_INTERNODE;
}

static int64_t steps_in(const char *word)
{
    char *end = NULL;
    errno = 0;
    const long long steps = word ? strtoll(word, &end, 10) : DEFAULT_STEPS;
    if (!word || (!*end && !errno && steps >= 0))
        return steps;
    warn("LEADLINE_MAP_STEPS=%s is no number of swaps; %d are tried", word, DEFAULT_STEPS);
    return DEFAULT_STEPS;
}

bool settings_report(void)
{
    const char *mode = variable("LEADLINE_MAP");
    return mode && !strcmp(mode, "report");
}

bool settings_reaches_all(void)
{
    const char *reaches = variable("LEADLINE_MAP_REACHES");
    return reaches && !strcmp(reaches, "all");
}

bool settings_cart_map_off(void)
{
    const char *word = variable("LEADLINE_MAP_CART_MAP");
    return word && !strcmp(word, "off");
}

struct settings settings_read(void)
{
    return (struct settings){
        .report = settings_report(),
        .metric = metric_named(variable("LEADLINE_MAP_METRIC")),
        .steps = steps_in(variable("LEADLINE_MAP_STEPS")),
        .machine = variable("LEADLINE_MAP_MACHINE"),
        .out = variable("LEADLINE_MAP_OUT"),
    };
}
