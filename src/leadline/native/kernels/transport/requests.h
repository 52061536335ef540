/**
 * Operations under way: each has a numbered slot, 0 .. TP_MOST_REQUESTS - 1, from the call that
 * starts it until one that finds it complete. Buffers belong to the transport in between: loads and
 * stores of the thread that found it complete come after those of the transport.
 *
 * Progress: an operation may need the calls of its two ranks to go on. Every call that waits, and
 * tp_test, moves all of the caller's operations on; between calls they may rest.
 *
 * A backend brings all of these or none.
 */
#ifndef LEADLINE_TRANSPORT_REQUESTS_H
#define LEADLINE_TRANSPORT_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>

enum { TP_MOST_REQUESTS = 1024 };

/**
 * Starts to send `bytes` bytes at `from` to rank `peer`, another one; complete when `from` may be
 * reused. Messages of one tag to one peer arrive in the order in which their sends were called,
 * whether they wait for completion or not.
 */
void tp_isend(const void *from, size_t bytes, int peer, int tag, int slot);
extern const char tp_isend_algorithm[];

/**
 * Starts to receive a message of `bytes` bytes from rank `peer`, another one, with tag `tag` into
 * `to`; complete when it is there. Receives that one message fits get it in the order in which they
 * were called. Receives under way at a time must not overlap.
 */
void tp_irecv(void *to, size_t bytes, int peer, int tag, int slot);

/** Returns when the operation in `slot`, which was started, is complete. */
void tp_wait(int slot);

/** tp_wait for slots first .. first + count - 1. */
void tp_waitall(int first, int count);

/** Lets operations progress; true, and the slot free, if the one in `slot` is complete. */
bool tp_test(int slot);

#endif
