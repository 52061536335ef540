/** Whether a slice moves the right bytes: before its timed batches, and still at their end. */
#ifndef LEADLINE_VALIDATION_H
#define LEADLINE_VALIDATION_H

#include "engine/session.h"

/** Has one-sided operations meet the plain loads and stores of their targets. Collective. */
void validation_settle(const struct session *session);

/** The same, and sets symmetric words to 0. Collective. */
void validation_clear(const struct session *session);

/** Says that this rank found something wrong in `pass`: the front-end fails the cell. */
void validation_say(const struct params *params, const char *pass, const struct mismatch *mismatch);

/** Puts known contents where `repetition` sends from, others where it receives. Collective. */
void validation_fill(const struct session *session, long repetition);

/**
 * Two repetitions with known contents, the first in the pattern's own way of validating where it
 * has one and the slice is timed. False, and a fault said, where one left a wrong byte on this
 * rank. Collective.
 */
bool validation_before(struct session *session);

/**
 * What the timed repetitions left, of those that began with the contents of `filled`, where that
 * can be told; then two more with known contents. Takes part whatever was `right_before`, but says
 * no second fault; false where anything was wrong on this rank. Collective.
 */
bool validation_after(struct session *session, long filled, bool right_before);

#endif
