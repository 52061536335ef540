/** How chunks of repetitions, run one after the other, get on; and whether they have settled. */
#ifndef LEADLINE_COURSE_H
#define LEADLINE_COURSE_H

#include <stdbool.h>
#include <stdint.h>

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

/** Takes in the next chunk, of a length that was to be `length_ns`. */
void course_add(struct course *course, struct chunk chunk, int64_t length_ns);

/** Repetitions that take `length_ns` at the best pace so far; 1 at least. */
int64_t course_fitting(const struct course *course, int64_t length_ns);

/** Whether the last `half` chunks (COURSE_HALF at most) typically take as long as as many before.
 */
bool course_agrees(const struct course *course, long half);

/** Whether no page was new in the last chunks. */
bool course_is_free_of_faults(const struct course *course);

/** Whether each repetition of the last chunks met new pages, always as many. */
bool course_faults_steadily(const struct course *course);

#endif
