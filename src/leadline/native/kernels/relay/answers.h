/** What the members answer to a command, and what the front-end gets of it. */
#ifndef LEADLINE_RELAY_ANSWERS_H
#define LEADLINE_RELAY_ANSWERS_H

#include <stdbool.h>

#include "relay/admission.h"

/** The command under way. */
struct awaited {
    long id;   /* 0: there is none */
    int below; /* ranks below this one answer */
    bool reduce;
};

/** Whether `member` must answer, and hasn't. */
bool answer_is_missing(const struct member *member, const struct awaited *awaited);

/**
 * Takes in what `member` has said by now, at most one answer.
 * Returns false where it said something else than the answer to that command in its own name.
 */
bool answer_taken(struct member *member, const struct awaited *awaited);

/**
 * Sends all answers to the front-end, in the ranks' order, and forgets them. Where they are to be
 * reduced, and all are results, there is one with batches: that of the lowest rank which recorded
 * any, "columns=10 over=0-63" in its line, its batches struct reduced ("relay/reduction.h").
 */
void answers_hand_on(struct member *members, int count, const struct awaited *awaited);

#endif
