/** What is to leave this rank, one message after the other, in the order in which it was added. */
#ifndef LEADLINE_TRACE_OUTBOX_H
#define LEADLINE_TRACE_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "backends/trace/piece.h"

/**
 * Adds a message of `bytes` bytes at `from` to rank `peer`; `head` says what it is. `from` belongs
 * to the outbox until the message is out; then *sent is set, unless `sent` is NULL.
 */
void outbox_add(int peer, struct piece head, const void *from, size_t bytes, bool *sent);

/** Writes as much as the pipes have room for. */
void outbox_move(void);

/** The pipe that has no room for what is next; -1: everything is out. After outbox_move. */
int outbox_waits_for(void);

#endif
