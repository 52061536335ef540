/** Two-sided messages: one rank sends, the other receives. */
#ifndef LEADLINE_TRANSPORT_TWO_SIDED_H
#define LEADLINE_TRANSPORT_TWO_SIDED_H

#include <stddef.h>

/**
 * Sends `bytes` bytes at `from` to rank `peer`, standard mode: returns when `from` may be reused,
 * which may be before or after the receive was posted. No store that follows gets into the message.
 */
void tp_send(const void *from, size_t bytes, int peer, int tag);
extern const char tp_send_algorithm[];

/**
 * Receives a message of `bytes` bytes from rank `peer` with tag `tag` into `to`; returns when it is
 * there for the loads that follow. A longer message ends the job; a shorter one is left to
 * validation.
 */
void tp_recv(void *to, size_t bytes, int peer, int tag);

/**
 * Sends to `dest` and receives from `source` at once; the two must not overlap. Can't deadlock
 * where every rank of a cycle calls it. Either peer may be the calling rank's own only if both are.
 */
void tp_sendrecv(const void *from, size_t send_bytes, int dest, void *to, size_t recv_bytes,
                 int source, int tag);

#endif
