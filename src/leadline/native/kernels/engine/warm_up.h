/**
 * What comes before a launch's first batch of a cell. Buffers inside a library are touched, and its
 * connections made, by the first operations that use them: Intel MPI's first 500 round trips take
 * ten times as long as all others. So chunks of repetitions are run until the last ones agree and
 * touch no new page.
 */
#ifndef LEADLINE_WARM_UP_H
#define LEADLINE_WARM_UP_H

#include "engine/session.h"

/**
 * Whether this launch has yet to meet the pattern, options, size and buffers of `params`, or met
 * them without settling and may try again.
 */
bool warm_up_due(const struct params *params);

/**
 * Runs chunks of about params->batch_ns until they agree and no page is new, or for
 * params->warm_up_ns. Returns how it went; *repetitions make a batch by the least time of all
 * chunks, the same on all participants.
 */
struct warm_up warm_up(struct session *session, long *repetitions);

#endif
