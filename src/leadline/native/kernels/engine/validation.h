/** Whether a slice moves the right bytes: before its timed batches, and still at their end. */
#ifndef LEADLINE_VALIDATION_H
#define LEADLINE_VALIDATION_H

#include "engine/session.h"

/** Puts known contents where `repetition` sends from, others where it receives. Collective. */
void validation_fill(const struct session *session, long repetition);

/** Runs the pattern's validation; false, and a fault said, if it left a wrong byte. Collective. */
bool validation_before(const struct session *session);

/**
 * Checks what the last repetition left, all participants, also those with `right_before` false:
 * these say no second fault. False if either found a wrong byte. Collective.
 */
bool validation_after(struct session *session, bool right_before);

#endif
