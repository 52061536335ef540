/**
 * Other ways of sending and receiving the same messages. tp_recv takes in what each of them sends.
 *
 * Each group of declarations with a string of its own is brought whole by a backend or not at all.
 */
#ifndef LEADLINE_TRANSPORT_MODES_H
#define LEADLINE_TRANSPORT_MODES_H

#include <stddef.h>

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
 * Persistent operations: tp_isend and tp_irecv prepared once in `slot` (transport/requests.h) and
 * started many times; each start is waited for before the next. The buffer is always the same.
 */
void tp_send_init(const void *from, size_t bytes, int peer, int tag, int slot);
void tp_recv_init(void *to, size_t bytes, int peer, int tag, int slot);
void tp_start(int slot);
extern const char tp_persistent_algorithm[];

/** Frees the slot of a persistent operation that isn't under way. */
void tp_persistent_free(int slot);

#endif
