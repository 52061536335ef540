#include "relay/stream.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FIRST_ROOM = 4096 };

static void grow(struct stream *stream)
{
    const size_t room = stream->room ? 2 * stream->room : FIRST_ROOM;
    char *grown = realloc(stream->bytes, room);
    if (!grown) {
        fprintf(stderr, "leadline relay: no memory for %zu bytes of what a rank says\n", room);
        exit(EXIT_FAILURE);
    }
    stream->bytes = grown;
    stream->room = room;
}

void stream_fill(struct stream *stream, size_t most)
{
    while (!stream->ended && stream->length < most) {
        if (stream->length == stream->room)
            grow(stream);
        const size_t room = stream->room < most ? stream->room : most;
        const ssize_t got =
            recv(stream->fd, stream->bytes + stream->length, room - stream->length, MSG_DONTWAIT);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        stream->ended = got <= 0;
        stream->length += got > 0 ? (size_t)got : 0;
    }
}

size_t stream_line(const struct stream *stream)
{
    const char *end = stream->length ? memchr(stream->bytes, '\n', stream->length) : NULL;
    return end ? (size_t)(end + 1 - stream->bytes) : 0;
}

void stream_drop(struct stream *stream, size_t bytes)
{
    stream->length -= bytes;
    if (bytes > 0)
        memmove(stream->bytes, stream->bytes + bytes, stream->length);
}

void stream_send(const struct stream *stream, const char *from, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t sent = send(stream->fd, from, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return;
        from += sent;
        bytes -= (size_t)sent;
    }
}

void stream_close(struct stream *stream)
{
    if (stream->fd >= 0)
        close(stream->fd);
    free(stream->bytes);
    *stream = (struct stream){.fd = -1, .ended = true};
}
