/** Slices whose calls are written down (transport/tracing.h) instead of timed. */
#ifndef LEADLINE_ENGINE_TRACING_H
#define LEADLINE_ENGINE_TRACING_H

#include "engine/session.h"

/** Runs the repetitions that were asked for, one at least, with their calls written down. */
void tracing_run(struct session *session);

/** Says "traced id=7 rank=R bytes=N", and the N bytes of the log. */
void tracing_report(const struct session *session);

/** Says the same with no log, of a rank that takes no part. */
void tracing_report_nothing(const struct params *params);

#endif
