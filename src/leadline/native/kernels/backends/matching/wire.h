/**
 * What a backend brings that moves messages itself (shm, tcp, shmem): between each two ranks a
 * channel in which they travel one after the other. Who receives which is found out on top
 * (requests.h); what that is called over the wire, tp_isend_algorithm and tp_matching_algorithm,
 * the backend says.
 */
#ifndef LEADLINE_MATCHING_WIRE_H
#define LEADLINE_MATCHING_WIRE_H

#include <stdbool.h>
#include <stddef.h>

/** A message on its way out or in. */
struct transfer {
    int peer, tag;
    size_t bytes; /* of the message; of a receive, what it has room for until it has begun */
    char *at;
    size_t left;
    size_t header_left; /* what goes before the payload, in the backend's own unit */
    const void *source; /* where the receiver reads the payload by itself; else NULL (shm) */
};

/** What is said of a message before its payload. */
struct envelope {
    int tag;
    size_t bytes;
};

/** The sending of `bytes` at `from`, without its having begun. */
struct transfer wire_send_of(const void *from, size_t bytes, int peer, int tag);

/** The receiving of up to `bytes` into `to`. */
struct transfer wire_receive_of(void *to, size_t bytes, int peer, int tag);

/** Moves an outgoing message on as far as it goes without waiting; true when it is all out. */
bool wire_send(struct transfer *out);

/** Whether the next message of `peer` has arrived, as far as its envelope; then *seen is set. */
bool wire_arrived(int peer, struct envelope *seen);

/** Takes in the peer's next message, which has arrived and fits; true when it is all here. */
bool wire_receive(struct transfer *in);

/**
 * What a waiting rank does when nothing moves: it spins, and where that takes long lets others run
 * until something may move. Ends the rank if it waits for `source`, and that can't send any more.
 */
void wire_wait(int source, unsigned *polls);

/** Prints what failed and ends this rank; the front-end ends the others. */
_Noreturn void wire_fail(const char *text);

#endif
