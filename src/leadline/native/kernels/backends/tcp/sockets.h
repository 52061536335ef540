/**
 * Listening, connecting and whole blocks of bytes, with a time limit: what ranks need to meet; and
 * how the backend fails.
 */
#ifndef LEADLINE_TCP_SOCKETS_H
#define LEADLINE_TCP_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

/** Says which rank this is; until then it is rank 0. */
void tcp_fails_as(int rank);

/** Prints what failed and ends this rank; the front-end ends the others. */
_Noreturn void tcp_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Where a rank listens. */
struct address {
    socklen_t length;
    struct sockaddr_storage at;
};

/** The address that `text`, "address:port", means; ends the rank if it means none. */
struct address address_of(const char *text);

/** The address at which `fd` is bound here, with any free port in place of its own. */
struct address address_beside(int fd);

/** `address` in words, e.g. "127.0.0.1:4000"; static storage. */
const char *address_text(const struct address *address);

/** A socket that listens at `address`, where the port that it got is left; ends the rank if none.
 */
int listen_at(struct address *address);

/** A connection to `address`, tried again while nobody listens there; ends the rank if none. */
int connect_to(const struct address *address);

/** The next connection made to `listener`; -1 when there is none for too long. */
int next_connection(int listener);

/** Whether all `bytes` bytes came within the time limit of `fd`. */
bool read_whole(int fd, void *to, size_t bytes);

/** Whether all `bytes` bytes could be sent. */
bool write_whole(int fd, const void *from, size_t bytes);

/** Sets how long read_whole waits for more bytes from `fd`. */
void limit_reading(int fd, int seconds);

#endif
