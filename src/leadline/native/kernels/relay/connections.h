/** The socket where ranks find their relay, and the connections that they make to it. */
#ifndef LEADLINE_RELAY_CONNECTIONS_H
#define LEADLINE_RELAY_CONNECTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* -- the listener ------------------------------------------------------------------------------ */

/* The Unix socket where the ranks of this host find their relay. */

/** Listens at `path`, in a folder that is made for it and that only its owner can enter; it is
    removed when the process exits, if not before. Exits with a message if it can't. */
int listener_open(const char *path);

/** Instead of a connection: errno says why there is none; another user's process came, and has been
    hung up on. */
enum { NOBODY = -1, OTHER_USER = -2 };

/** The next connection of a process of our own user, or one of these. Waits for nobody. */
int listener_accept(int listener);

/** Listens no more, and removes the folder. */
void listener_close(int listener);

/* -- streams ----------------------------------------------------------------------------------- */

/* A connection, and what came over it that nobody has taken yet. */

struct stream {
    int fd; /* -1: closed */
    char *bytes;
    size_t length, room;
    bool ended; /* nothing more will come */
};

/** Takes in what has arrived, without waiting, until there are `most` bytes in all. */
void stream_fill(struct stream *stream, size_t most);

/** The length of the first line, its newline included; 0: it hasn't all come. */
size_t stream_line(const struct stream *stream);

/** Takes away the first `bytes` bytes. */
void stream_drop(struct stream *stream, size_t bytes);

/** Sends all of `bytes`; that nobody reads it any more shows where the stream is filled. */
void stream_send(const struct stream *stream, const char *from, size_t bytes);

/** Hangs up, and forgets what had come. */
void stream_close(struct stream *stream);

#endif
