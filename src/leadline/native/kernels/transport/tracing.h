/**
 * The calls of this rank, written down in their order: who sends what to whom.
 *
 * A log is text, a line a call, with tabs between its fields:
 *
 *   send     PEER BYTES TAG DEPTH OPERATION   where a message is sent, in whatever mode
 *   receive  PEER BYTES TAG DEPTH OPERATION   where a message is found complete
 *   put      PEER BYTES 0 DEPTH OPERATION
 *   flag     PEER 8 0 DEPTH OPERATION         of a put with a flag, after its put where it has any
 *   get      PEER BYTES 0 DEPTH OPERATION     PEER is whose memory is read
 *   atomic   PEER 8 0 DEPTH OPERATION
 *   wait     PEER 8 0 DEPTH OPERATION         for a flag of another rank, which set it last
 *   work     -1 BYTES FLOP DEPTH OPERATION    between two calls
 *
 * DEPTH is a message's: the longest chain of messages before it, each sent after the one before
 * had been found complete by its sender. What is sent has the depth of its sender, 0 at
 * tp_trace_begin. A receive found complete, a wait met, a get or an atomic answered makes the rank
 * deeper by one than that message, unless it is already. A flag has the depth of the deepest flag
 * and atomic that its word got since the word was last put to. What only acknowledges makes nobody
 * deeper. OPERATION is empty, or the outermost collective and its algorithm, "bcast: binomial".
 *
 * What a rank sends to itself is no message.
 */
#ifndef LEADLINE_TRANSPORT_TRACING_H
#define LEADLINE_TRANSPORT_TRACING_H

#include <stddef.h>

/** A log, valid until the next begins. */
struct tp_log {
    const char *text;
    size_t bytes;
};

/** Begins a log; nothing was called yet. */
void tp_trace_begin(void);
extern const char tp_tracing_algorithm[];

/** Writes down work that the caller did. */
void tp_trace_work(size_t flop, size_t bytes);

/** Ends the log that was begun. */
struct tp_log tp_trace_end(void);

#endif
