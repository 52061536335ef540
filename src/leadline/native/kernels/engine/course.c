#include "engine/course.h"

#include <stdlib.h>

enum { KEPT = 2 * COURSE_HALF };

static const double agreement = 0.05;

static double pace(struct chunk chunk)
{
    return (double)chunk.elapsed_ns / (double)chunk.repetitions;
}

int64_t course_fitting(const struct course *course, int64_t length_ns)
{
    const double repetitions = (double)length_ns / course->least_ns + 0.5;
    return repetitions > 1 ? (int64_t)repetitions : 1;
}

/* A chunk much shorter than it was to be is no evidence: reading the clock weighs in it. */
void course_add(struct course *course, struct chunk chunk, int64_t length_ns)
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

bool course_agrees(const struct course *course, long half)
{
    return half > 0 && course->chunks >= 2 * half &&
           agree(typical_ns(course, 2 * half, half), typical_ns(course, half, half));
}

bool course_is_free_of_faults(const struct course *course)
{
    const long chunks = course->chunks < KEPT ? course->chunks : KEPT;
    return chunks == 0 || faults(course, chunks, chunks) == 0;
}

bool course_faults_steadily(const struct course *course)
{
    if (course->chunks < KEPT)
        return false;
    const double now = faults(course, COURSE_HALF, COURSE_HALF);
    return now >= 1 && agree(faults(course, KEPT, COURSE_HALF), now);
}
