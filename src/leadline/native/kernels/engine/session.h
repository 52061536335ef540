/** One slice under way on this rank: what it measures, how far it is, and its batches' flags. */
#ifndef LEADLINE_SESSION_H
#define LEADLINE_SESSION_H

#include "channel/batches.h"
#include "engine/params.h"
#include "engine/repetitions.h"
#include "engine/surroundings.h"

/** How a launch came to know a cell; all zero: it knew it before. */
struct warm_up {
    int64_t elapsed_ns;
    int64_t operations;
    bool converged;
};

/** What an application's solutions came to on this rank. */
struct solved {
    int64_t communication_ns; /* of the timed batches that aren't flagged */
    int64_t elapsed_ns;       /* of the same */
    bool wrong;               /* one of them */
    struct mismatch mismatch; /* the first; else what is furthest from right, if anything */
};

struct session {
    const struct params *params;
    const struct cell *cell;
    int participants;
    double clock_cost_ns;
    long repetitions; /* of every batch from now on */
    long position;    /* repetitions run so far: the rings go on where they were */
    struct warm_up warm_up;
    int64_t announcement_ns; /* what a word of rank 0 takes to reach all, and theirs to come back */
    struct surroundings *around;
    struct solved solved;
};

/** A slice's first batches, flagged: caches and clocks find back to the cell. */
enum { WARM_UP_BATCHES = 2, FEWEST_BATCHES = 3 /* timed, however long one takes */ };

/** Runs the next `repetitions` of the cell's pattern. */
static inline void session_run(struct session *session, long repetitions)
{
    repetitions_run(session->params->pattern, session->cell, session->position,
                    session->position + repetitions);
    session->position += repetitions;
}

/** Whether the batches of all participants are to run at the same time. */
static inline bool session_contends(const struct session *session)
{
    const struct pattern *pattern = session->params->pattern;
    return pattern->contends && pattern->contends(session->cell);
}

static inline bool session_solves(const struct session *session)
{
    return session->params->pattern->application != NULL;
}

/** The least time that `repetitions` took in a few runs: a preemption only lengthens. */
int64_t session_least_ns(struct session *session, long repetitions);

/** FLAG_CLOCK_BOUND where reading the clock takes a notable part of `elapsed_ns`; else 0. */
int64_t session_clock_flag(const struct session *session, int64_t elapsed_ns);

/** Has batches begin by the common clock, by which it can be told who ran beside whom; how long one
    took this rank's says. */
void session_translate(struct record *record);

static inline int64_t at_least(int64_t value, int64_t least)
{
    return value > least ? value : least;
}

#endif
