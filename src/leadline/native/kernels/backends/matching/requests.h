/**
 * Operations under way over a wire. A message that nobody has asked for yet is taken into
 * memory as soon as a receive has to look behind it.
 *
 * Blocking operations go straight to the wire as long as nothing of this matters: see
 * requests_may_send and requests_may_receive. Otherwise they too are started here and waited for.
 */
#ifndef LEADLINE_MATCHING_REQUESTS_H
#define LEADLINE_MATCHING_REQUESTS_H

#include "backends/matching/wire.h"
#include "backends/queue/queue.h"

enum {
    ACKNOWLEDGEMENT = 1 << 15, /* tag of what answers a synchronous message */
    SYNCHRONOUS = 1 << 16,     /* added to the tag of a message whose receive is to be answered */
};

/** An operation under way, or a message in memory. */
struct request {
    struct entry entry; /* of a receive that waits for its message, and the other way round */
    struct transfer transfer;
    struct request *next;  /* among the sends to its peer */
    struct request *taker; /* of a message in memory that is still coming: who asked for it since */
    bool synchronous;      /* a message in memory that is to be acknowledged when it is asked for */
    bool kept;             /* a message in memory */
    bool complete;
};

/** What keeps blocking operations from the wire. */
struct outstanding {
    size_t requests;   /* started and not complete */
    size_t unexpected; /* messages in memory */
};

extern struct outstanding outstanding;

/** Whether a message may go out at once: nothing else is to be moved meanwhile. */
static inline bool requests_may_send(void)
{
    return outstanding.requests == 0;
}

/** Whether the next message of a peer may be taken in at once: none came before it. */
static inline bool requests_may_receive(void)
{
    return (outstanding.requests | outstanding.unexpected) == 0;
}

/** Makes room for what is under way between this rank and `ranks` others. */
void requests_open(int ranks);

/** Starts to send, or goes on if it has begun; `request` stays in its place until complete. */
void requests_send(struct request *request, struct transfer transfer);

/** Starts to receive; a peer of ANY_SOURCE gives way to the message's. */
void requests_receive(struct request *request, struct transfer transfer);

/** Returns when `request` is complete. */
void requests_wait(struct request *request);

/** Moves everything on as far as it goes without waiting. */
void requests_progress(void);

/** Whether messages to `peer` wait to go on. */
bool requests_sending(int peer);

/** Sends or receives while others are under way; returns when it is done. */
void requests_send_and_wait(struct transfer out);
void requests_receive_and_wait(struct transfer in);

/** Does both at once. */
void requests_exchange(struct transfer out, struct transfer in);

/** Prints what failed and ends this rank. */
_Noreturn void requests_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
