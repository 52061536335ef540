#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "engine/params.h"
#include "engine/repetitions.h"
#include "threads.h"
#include "turns.h"

static const char *const fault_names[] = {
    [NONE] = "none",           [DROP] = "drop",
    [DUPLICATE] = "duplicate", [SWAP] = "swap",
    [STALE] = "stale",         [OFFSET] = "offset",
    [SHORT] = "short",         [LATE] = "late",
    [COPY_OWN] = "copy_own",   [COPY_FIRST] = "copy_first",
    [COPY_LAST] = "copy_last", [BEYOND] = "beyond",
    [LOST] = "lost",
};

struct plan plan;
enum phase phase;
bool with_threads;

static long strikes, repetitions;
static bool timing_seen;
static bool of_application; /* whose result is known, and checked, at any time */

bool plan_is_time(void)
{
    return plan.when == ALWAYS || (plan.when == LATER ? timing_seen : phase == PHASE_TIMING);
}

void plan_count_strike(void)
{
    strikes += phase == PHASE_VALIDATION || of_application;
}

int struck_rank(void)
{
    return plan.rank;
}

bool __real_params_parse(const char *line, struct params *params, char *wrong, size_t room);
bool __wrap_params_parse(const char *line, struct params *params, char *wrong, size_t room);
void __real_progress_enter(int64_t slice, enum phase entered);
void __wrap_progress_enter(int64_t slice, enum phase entered);
bool __wrap_warm_up_due(const struct params *params);
void __real_repetitions_run(const struct pattern *pattern, const struct cell *cell, long first,
                            long last);
void __wrap_repetitions_run(const struct pattern *pattern, const struct cell *cell, long first,
                            long last);

static void read_plan(char *word)
{
    char fault[32] = "", when[32] = "";
    if (sscanf(word, "mutant=%31[^:]:%31[^:]:%d:%31[^:]:%ld:%ld", fault, plan.op, &plan.rank, when,
               &plan.every, &plan.at) != 6)
        abort();
    for (int i = NONE; i < FAULTS; i++)
        if (strcmp(fault_names[i], fault) == 0)
            plan.fault = (enum fault)i;
    plan.when = strcmp(when, "always") == 0 ? ALWAYS : strcmp(when, "later") == 0 ? LATER : TIMED;
    memset(word, ' ', strcspn(word, " "));
}

bool __wrap_params_parse(const char *line, struct params *params, char *wrong, size_t room)
{
    const char *usual = getenv("MUTANT");
    char *rest = malloc(strlen(line) + (usual ? strlen(usual) : 0) + 2);
    sprintf(rest, "%s %s", line, usual ? usual : "");
    turns_begin();
    calls_forget();
    one_sided_forget();
    memset(&plan, 0, sizeof plan);
    strikes = repetitions = 0;
    timing_seen = false;
    char *word = strstr(rest, "mutant=");
    if (word)
        read_plan(word);
    const bool read = __real_params_parse(rest, params, wrong, room);
    free(rest);
    of_application = read && params->pattern->application;
    with_threads = read && params->pattern->threads > 1;
    return read;
}

static void write_log(int64_t slice)
{
    char path[4096];
    if (!getenv("MUTANTS_LOG"))
        return;
    snprintf(path, sizeof path, "%s.%d", getenv("MUTANTS_LOG"), tp_rank());
    FILE *log = fopen(path, "a");
    fprintf(log, "%ld strikes %ld\n%ld repetitions %ld\n", (long)slice, strikes, (long)slice,
            repetitions);
    calls_log(log, (long)slice);
    fclose(log);
}

void __wrap_progress_enter(int64_t slice, enum phase entered)
{
    __real_progress_enter(slice, entered);
    phase = entered;
    timing_seen |= entered == PHASE_CALIBRATION || entered == PHASE_TIMING;
    if (entered != PHASE_IDLE)
        return;
    write_log(slice);
    turns_end();
}

/* Applications are checked while they warm up, too: what a command comes to isn't to depend on how
   soon those before it settled. */
bool __wrap_warm_up_due(const struct params *params)
{
    return params->warm_up_ns > 0 && of_application;
}

void __wrap_repetitions_run(const struct pattern *pattern, const struct cell *cell, long first,
                            long last)
{
    repetitions += phase == PHASE_TIMING ? last - first : 0;
    (pattern->second ? threads_run : __real_repetitions_run)(pattern, cell, first, last);
}
