/**
 * The log of this rank's calls, and the rank's depth: the longest chain of messages that it has
 * found complete, each sent after the one before was. What the log looks like: transport/tracing.h.
 */
#ifndef LEADLINE_TRACE_LOG_H
#define LEADLINE_TRACE_LOG_H

#include <stddef.h>
#include <stdint.h>

/** The depth of what is sent now. */
int64_t log_depth(void);

/** Writes down what is sent to, or asked of, rank `peer`. */
void log_sent(const char *call, int peer, size_t bytes, int tag);

/** Writes down that what rank `peer` sent at `depth` was found complete; the rank is deeper now. */
void log_found(const char *call, int peer, size_t bytes, int tag, int64_t depth);

/** What was sent at `depth` is found complete without a word in the log. */
void log_deepen(int64_t depth);

/** Names the calls that follow after a collective and its algorithm; the outermost counts. */
void log_enter(const char *operation, const char *algorithm);

/** Ends what log_enter began. */
void log_leave(void);

#endif
