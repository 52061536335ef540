/** A connection, and what came over it that nobody has taken yet. */
#ifndef LEADLINE_RELAY_STREAM_H
#define LEADLINE_RELAY_STREAM_H

#include <stdbool.h>
#include <stddef.h>

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
