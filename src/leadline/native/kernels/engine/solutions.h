/**
 * The cadence of applications: solutions, one after the other, each set anew before and checked
 * after, outside of the time; in between batches of one repetition. See "patterns/pattern.h".
 */
#ifndef LEADLINE_SOLUTIONS_H
#define LEADLINE_SOLUTIONS_H

#include "engine/session.h"

/**
 * `reason` where there is one, in words, against the slice; words of another's where that has one;
 * NULL on all ranks: nobody has. Collective.
 */
const char *solutions_agree(const char *reason, int participants);

/**
 * Makes what the session's application needs. Returns what stands against the slice, on this rank
 * or elsewhere, in words; NULL on all ranks: nothing. Collective.
 */
const char *solutions_prepare(const struct session *session);

/** Sets the problem anew where the next repetition is a solution's first. Collective. */
void solutions_begin(const struct session *session);

/** Checks the result where the last repetition was a solution's last. Collective. */
void solutions_end(struct session *session);

/** Has the next repetition be a solution's first. */
void solutions_break_off(struct session *session);

/**
 * Fills `record` with the batches of whole solutions for params->slice_ns, at least one, the first
 * batch flagged as warm-up and of a solution that was broken off after it.
 */
void solutions_time(struct session *session, struct record *record);

#endif
