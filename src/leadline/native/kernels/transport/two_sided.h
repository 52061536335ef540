/** Two-sided messages: one rank sends, the other receives. */
#ifndef LEADLINE_TRANSPORT_TWO_SIDED_H
#define LEADLINE_TRANSPORT_TWO_SIDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- one call at a time ------------------------------------------------------------------------ */

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

/* -- operations under way ---------------------------------------------------------------------- */

/*
 * Operations under way: each has a numbered slot, 0 .. TP_MOST_REQUESTS - 1, from the call that
 * starts it until one that finds it complete. Buffers belong to the transport in between: loads and
 * stores of the thread that found it complete come after those of the transport.
 *
 * Progress: an operation may need the calls of its two ranks to go on. Every call that waits, and
 * tp_test, moves all of the caller's operations on; between calls they may rest.
 *
 * A backend brings all of these or none.
 */

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

/* -- modes ------------------------------------------------------------------------------------- */

/*
 * Other ways of sending and receiving the same messages. tp_recv takes in what each of them sends.
 *
 * Each group of declarations with a string of its own is brought whole by a backend or not at all.
 */

/**
 * "absent": receives must be called in the order in which the peer sends, with the tags that it
 * sends. Else a receive finds its message wherever it is among those under way: messages that it
 * passes over wait for theirs, a thousand short ones at least.
 */
extern const char tp_matching_algorithm[];

/** tp_recv from whichever other rank sends first; returns that rank. */
int tp_recv_any(void *to, size_t bytes, int tag);

/** tp_send in synchronous mode: returns when the message's receive has begun, no earlier. */
void tp_ssend(const void *from, size_t bytes, int peer, int tag);
extern const char tp_ssend_algorithm[];

/** Messages that the buffer of tp_bsend has room for. */
enum { TP_BUFFERED_MESSAGES = 4 };

/** Gives tp_bsend a buffer for messages of up to `bytes` bytes; ends the job if it can't be had. */
void tp_buffer_attach(size_t bytes);

/** Returns when all messages in the buffer are out; it is gone then. */
void tp_buffer_detach(void);

/**
 * tp_send in buffered mode: copies the message to the buffer and returns, whatever the receiver
 * does. Where the buffer is full of messages that haven't been received the job ends.
 */
void tp_bsend(const void *from, size_t bytes, int peer, int tag);
extern const char tp_bsend_algorithm[];

/**
 * Persistent operations: tp_isend and tp_irecv prepared once in `slot` and started many times; each
 * start is waited for before the next. The buffer is always the same.
 */
void tp_send_init(const void *from, size_t bytes, int peer, int tag, int slot);
void tp_recv_init(void *to, size_t bytes, int peer, int tag, int slot);
void tp_start(int slot);
extern const char tp_persistent_algorithm[];

/** Frees the slot of a persistent operation that isn't under way. */
void tp_persistent_free(int slot);

/* -- datatypes --------------------------------------------------------------------------------- */

/*
 * Messages whose bytes don't lie side by side: the library gathers and scatters them by a derived
 * datatype.
 */

/** How elements lie in memory. */
enum tp_form {
    TP_CONTIGUOUS, /* bytes side by side: no datatype is needed */
    TP_STRIDED,    /* every second of an array of doubles */
    TP_STRUCT,     /* an array of struct tp_particle */
};

/** An element with holes: 16 bytes of payload in 24. */
struct tp_particle {
    int32_t kind;
    double charge;
    char symbol[4];
};

enum {
    TP_STRIDE = 2, /* in doubles */
    TP_STRIDED_PAYLOAD = 8,
    TP_STRUCT_PAYLOAD = 16,
};

/** A form and a number of elements, as the backend's library wants to be told of them. */
struct tp_datatype;

/**
 * The datatype of `elements` (at least 1) elements of `form` in memory. Ends the rank where that is
 * beyond what the library counts to, or there is no memory.
 */
struct tp_datatype *tp_datatype_make(enum tp_form form, size_t elements);
extern const char tp_datatype_algorithm[];

/** Gives back what tp_datatype_make returned. NULL is allowed. */
void tp_datatype_free(struct tp_datatype *type);

/** Like tp_send of all elements of `type` at `from`, without what lies between them. */
void tp_send_datatype(const void *from, const struct tp_datatype *type, int peer, int tag);

/** Like tp_recv; what lies between the elements isn't touched. */
void tp_recv_datatype(void *to, const struct tp_datatype *type, int peer, int tag);

/* -- packing ----------------------------------------------------------------------------------- */

/* Packing: messages that are assembled before they are sent, and taken apart after they came. */

/** Begins a message and packs `bytes` bytes at `from` into it. It is kept until the next tp_pack.
 */
void tp_pack(const void *from, size_t bytes);
extern const char tp_pack_algorithm[];

/** Sends rank `peer`, another one, the message packed last; may be repeated. */
void tp_send_packed(int peer, int tag);

/** Receives a packed message of `bytes` bytes of rank `peer`, and unpacks nothing. It is kept until
 * the next tp_recv_packed. */
void tp_recv_packed(size_t bytes, int peer, int tag);

/** Unpacks `bytes` bytes, all there are, of the message that tp_recv_packed received last into
 * `to`; may be repeated. */
void tp_unpack(void *to, size_t bytes);

#endif
