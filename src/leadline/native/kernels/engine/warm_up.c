#include "engine/warm_up.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel/disturbance.h"
#include "channel/progress.h"
#include "engine/solutions.h"
#include "engine/sync.h"

/* -- course ------------------------------------------------------------------------------------ */

/* How chunks of repetitions, run one after the other, get on; and whether they have settled. */

/** Chunks whose typical time is compared with that of as many before. */
enum { COURSE_HALF = 4 };

/** Some repetitions back to back, on the rank where they took longest. */
struct chunk {
    int64_t elapsed_ns;
    int64_t repetitions;
    int64_t delay_ns; /* for which a rank was ready to run and had no core */
    int64_t faults;   /* pages that a rank touched for the first time */
};

/** The chunks so far; starts as {0}. */
struct course {
    double least_ns; /* one repetition, in the best chunk */
    int64_t repetitions;
    int64_t elapsed_ns; /* of all chunks */
    int64_t delay_ns;
    long chunks; /* that are long enough to be compared */
    struct chunk last[2 * COURSE_HALF];
};

enum { KEPT = 2 * COURSE_HALF };

static const double agreement = 0.05;

static double pace(struct chunk chunk)
{
    return (double)chunk.elapsed_ns / (double)chunk.repetitions;
}

/* Repetitions that take `length_ns` at the best pace so far; 1 at least. */
static int64_t course_fitting(const struct course *course, int64_t length_ns)
{
    const double repetitions = (double)length_ns / course->least_ns + 0.5;
    return repetitions > 1 ? (int64_t)repetitions : 1;
}

/* A chunk much shorter than it was to be is no evidence: reading the clock weighs in it. */
static void course_add(struct course *course, struct chunk chunk, int64_t length_ns)
{
    const double least = course->least_ns, now = pace(chunk);
    course->least_ns = course->repetitions == 0 || now < least ? now : least;
    course->repetitions += chunk.repetitions;
    course->elapsed_ns += chunk.elapsed_ns;
    course->delay_ns += chunk.delay_ns;
    if (2 * chunk.repetitions >= course_fitting(course, length_ns))
        course->last[course->chunks++ % KEPT] = chunk;
}

static struct chunk chunk_before(const struct course *course, long back)
{
    return course->last[(course->chunks - back) % KEPT];
}

static int ascending(const void *one, const void *other)
{
    const double first = *(const double *)one, second = *(const double *)other;
    return (first > second) - (first < second);
}

/* The lower median of `half` chunks, of which the first lies `back` before the end: an interruption
   only lengthens. */
static double typical_ns(const struct course *course, long back, long half)
{
    double paces[COURSE_HALF];
    for (long i = 0; i < half; i++)
        paces[i] = pace(chunk_before(course, back - i));
    qsort(paces, (size_t)half, sizeof *paces, ascending);
    return paces[(half - 1) / 2];
}

/* Of all ranks and `half` chunks together, per repetition. */
static double faults(const struct course *course, long back, long half)
{
    int64_t met = 0, repetitions = 0;
    for (long i = 0; i < half; i++) {
        const struct chunk chunk = chunk_before(course, back - i);
        met += chunk.faults;
        repetitions += chunk.repetitions;
    }
    return (double)met / (double)repetitions;
}

static bool agree(double one, double other)
{
    return one <= other * (1 + agreement) && other <= one * (1 + agreement);
}

/* Whether the last `half` chunks (COURSE_HALF at most) typically take as long as as many before.
 */
static bool course_agrees(const struct course *course, long half)
{
    return half > 0 && course->chunks >= 2 * half &&
           agree(typical_ns(course, 2 * half, half), typical_ns(course, half, half));
}

/* Whether no page was new in the last chunks. */
static bool course_is_free_of_faults(const struct course *course)
{
    const long chunks = course->chunks < KEPT ? course->chunks : KEPT;
    return chunks == 0 || faults(course, chunks, chunks) == 0;
}

/* Whether each repetition of the last chunks met new pages, always as many. */
static bool course_faults_steadily(const struct course *course)
{
    if (course->chunks < KEPT)
        return false;
    const double now = faults(course, COURSE_HALF, COURSE_HALF);
    return now >= 1 && agree(faults(course, KEPT, COURSE_HALF), now);
}

/* -- the warm-up ------------------------------------------------------------------------------- */

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
