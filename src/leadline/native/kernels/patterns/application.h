/**
 * What makes a pattern an application: it solves a problem, over and over, each time in as many
 * repetitions as the problem's class has, with arithmetic between its calls and memory of its own.
 *
 * A slice times whole solutions, in batches of one repetition, in the streaming cadence. Its way:
 *
 *   prepare    once: memory, tables;
 *   restart    before the first repetition of each solution, all ranks together;
 *   run        its repetitions, numbered from a multiple of their number on;
 *   check      after the last one of each solution: whether the result is right;
 *   end        once.
 *
 * Of these `run` alone is timed. All ranks have restarted before any begins, so that what others
 * write into its memory comes after; `fill` has no place here. Solutions that warm a launch up may
 * end early, without a check.
 */
#ifndef LEADLINE_APPLICATION_H
#define LEADLINE_APPLICATION_H

#include <math.h>

#include "patterns/options.h"
#include "patterns/payload.h"

struct cell;

/** One class of problem, however many ranks solve it. */
struct problem {
    int repetitions; /* that solve it */
    int most_ranks;  /* that can share it */
    size_t flop;     /* of a repetition, on all ranks together */
    size_t bytes;    /* of memory that they take for it together, about */
};

struct application {
    enum option_key option;         /* whose words are the classes */
    const struct problem *problems; /* [word] */
    bool powers_of_two;             /* as many ranks as a power of two */

    /** How many bytes of cell->out, and of cell->in, it needs, in symmetric memory where the
        pattern's is, the same on all ranks; NULL: none. Their contents are undefined. */
    size_t (*buffer_bytes)(const struct cell *cell);

    /** Makes what a slice needs besides, every page of it touched. What stands against it, in
       words, for which the slice ends on all ranks; so it sends nothing. NULL: nothing does. The
       pattern's `end` undoes it, whatever it returned. */
    const char *(*prepare)(const struct cell *cell);

    /** Sets the problem anew; collective. */
    void (*restart)(const struct cell *cell);
};

/** What a rank's timed repetitions spent on communication. */
struct spent {
    int64_t communication_ns;
};

/** How far a quantity is from what is expected, relative; 0 where none is set. */
static inline double relative_error(const struct mismatch *mismatch)
{
    const double expected = mismatch->expected_real, apart = mismatch->seen_real - expected;
    return mismatch->quantity && apart != 0 ? fabs(apart / expected) : 0;
}

/** Whether a quantity of the result, one word, is `expected` but for `tolerance`, relative. Where
   it isn't, as where it is no number, *mismatch says so; else of all quantities the one that is
   furthest from what is expected, or the first. */
static inline bool quantity_is(const char *quantity, double expected, double seen, double tolerance,
                               struct mismatch *mismatch)
{
    const struct mismatch found = {
        .quantity = quantity, .real = true, .expected_real = expected, .seen_real = seen};
    const bool right = relative_error(&found) <= tolerance;
    if (!right || !mismatch->quantity || relative_error(&found) > relative_error(mismatch))
        *mismatch = found;
    return right;
}

/** The same of a whole number, exactly. */
static inline bool count_is(const char *quantity, uint64_t expected, uint64_t seen,
                            struct mismatch *mismatch)
{
    if (seen == expected)
        return true;
    *mismatch = (struct mismatch){.quantity = quantity, .expected = expected, .seen = seen};
    return false;
}

#endif
