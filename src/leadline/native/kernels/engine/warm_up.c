#include "engine/warm_up.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel/disturbance.h"
#include "channel/progress.h"
#include "engine/course.h"
#include "engine/solutions.h"
#include "engine/sync.h"

enum {
    GROWTH = 10,       /* of a chunk over the one before, at most */
    MOST_WARM_UPS = 3, /* of a cell that doesn't settle, slice by slice */
    PATIENCE = 5,      /* of the time for a warm-up, where ranks wait or operations are too long */
};

enum outcome { UNDECIDED, SETTLED, GIVEN_UP };

static int64_t least_of(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

static struct chunk run_chunk(struct session *session, int64_t repetitions)
{
    if (session_solves(session))
        solutions_begin(session);
    const struct disturbance before = disturbance_now();
    const int64_t start = clock_now_ns();
    session_run(session, (long)repetitions);
    const int64_t elapsed = clock_now_ns() - start;
    const struct disturbance met = disturbance_between(before, disturbance_now());
    progress_advance();
    if (session_solves(session))
        solutions_end(session);
    return (struct chunk){
        .elapsed_ns = at_least(sync_max(elapsed, session->participants), 1),
        .repetitions = repetitions,
        .delay_ns = sync_max(at_least(met.run_delay_ns, 0), session->participants),
        .faults = sync_max(at_least(met.faults, 0), session->participants),
    };
}

/* Waiting for a core takes no time of a warm-up. */
static bool time_is_over(const struct course *course, int64_t most_ns)
{
    return course->elapsed_ns - least_of(course->delay_ns, course->elapsed_ns) >= most_ns;
}

/* What still meets new pages, always as many, when the time is over takes them for its own use
   each time: a library may allocate what it reduces into. */
static enum outcome outcome_of(const struct course *course, int64_t most_ns)
{
    const bool is_over = time_is_over(course, most_ns);
    const bool steady = is_over && course_faults_steadily(course);
    if (course_agrees(course, COURSE_HALF) && (course_is_free_of_faults(course) || steady))
        return SETTLED;
    if (is_over && course->chunks >= 2 * COURSE_HALF)
        return GIVEN_UP;
    if (course->elapsed_ns < PATIENCE * most_ns || course->repetitions < 2)
        return UNDECIDED;
    const long half = least_of(course->chunks / 2, COURSE_HALF);
    return course_agrees(course, half) && course_is_free_of_faults(course) ? SETTLED : GIVEN_UP;
}

/* At the pace of the last chunk the next one is over in time: where ranks that wait give their core
   to another process, an operation may suddenly take milliseconds. */
static int64_t most_in_time(struct chunk last, int64_t most_ns)
{
    return at_least(last.repetitions * most_ns / last.elapsed_ns, 1);
}

/** What a launch remembers of a cell. */
struct met {
    const struct pattern *pattern;
    size_t size_bytes;
    enum buffers buffers;
    int root;
    int64_t placement;
    struct choices choices;
};

static struct {
    struct met *cells;
    long *left; /* warm-ups that each still gets */
    size_t count;
} known;

static struct met met_of(const struct params *params)
{
    struct met met;
    memset(&met, 0, sizeof met); /* padding too: they are compared as bytes */
    met.pattern = params->pattern;
    met.size_bytes = params->size_bytes;
    met.buffers = params->buffers;
    met.root = params->root;
    met.placement = params->placement;
    memcpy(&met.choices, &params->choices, sizeof met.choices);
    return met;
}

static void *grown(void *memory, size_t bytes)
{
    void *more = realloc(memory, bytes);
    if (!more) {
        fprintf(stderr, "leadline kernel: no memory for %zu cells\n", known.count + 1);
        abort();
    }
    return more;
}

/* How many warm-ups the cell still gets in this launch, which meets it now if not before. */
static long *left_for(const struct params *params)
{
    const struct met met = met_of(params);
    for (size_t i = 0; i < known.count; i++)
        if (memcmp(&known.cells[i], &met, sizeof met) == 0)
            return &known.left[i];
    known.cells = grown(known.cells, (known.count + 1) * sizeof *known.cells);
    known.left = grown(known.left, (known.count + 1) * sizeof *known.left);
    known.cells[known.count] = met;
    known.left[known.count] = MOST_WARM_UPS;
    return &known.left[known.count++];
}

bool warm_up_due(const struct params *params)
{
    return params->warm_up_ns > 0 && *left_for(params) > 0;
}

struct warm_up warm_up(struct session *session, long *repetitions)
{
    const struct params *params = session->params;
    const int64_t length_ns = session_solves(session) ? 1 : params->batch_ns; /* one repetition */
    struct course course = {0};
    int64_t next = 1, found = UNDECIDED;
    while (found == UNDECIDED) {
        const struct chunk last = run_chunk(session, next);
        course_add(&course, last, length_ns);
        next = least_of(course_fitting(&course, length_ns), GROWTH * next);
        next = least_of(next, most_in_time(last, params->warm_up_ns));
        found = outcome_of(&course, params->warm_up_ns);
        sync_broadcast(&next, session->participants);
        sync_broadcast(&found, session->participants);
    }
    int64_t fitting = course_fitting(&course, length_ns);
    sync_broadcast(&fitting, session->participants);
    *repetitions = (long)fitting;
    long *left = left_for(params);
    *left = found == SETTLED ? 0 : *left - 1;
    return (struct warm_up){course.elapsed_ns, course.repetitions, found == SETTLED};
}
