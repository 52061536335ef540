#include "relay/connections.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* -- the listener ------------------------------------------------------------------------------ */

enum { BACKLOG = 1024 };

static struct sockaddr_un place = {.sun_family = AF_UNIX};
static char folder[sizeof place.sun_path];

static _Noreturn void fail(const char *what, const char *path)
{
    fprintf(stderr, "leadline relay: %s %s: %s\n", what, path, strerror(errno));
    exit(EXIT_FAILURE);
}

static void remove_folder(void)
{
    if (!folder[0])
        return;
    unlink(place.sun_path);
    rmdir(folder);
    folder[0] = '\0';
}

static void make_folder(const char *path)
{
    if (strlen(path) >= sizeof place.sun_path) {
        errno = ENAMETOOLONG;
        fail("can't listen at", path);
    }
    strcpy(place.sun_path, path);
    strcpy(folder, path);
    *strrchr(folder, '/') = '\0';
    if (mkdir(folder, S_IRWXU) != 0) {
        folder[0] = '\0'; /* whose it is stays */
        fail("can't make the folder of", path);
    }
    atexit(remove_folder);
}

int listener_open(const char *path)
{
    make_folder(path);
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&place, sizeof place) != 0 ||
        listen(listener, BACKLOG) != 0)
        fail("can't listen at", path);
    return listener;
}

int listener_accept(int listener)
{
    struct ucred peer = {0};
    socklen_t bytes = sizeof peer;
    const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0)
        return NOBODY;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.uid == geteuid())
        return fd;
    close(fd);
    return OTHER_USER;
}

void listener_close(int listener)
{
    close(listener);
    remove_folder();
}

/* -- streams ----------------------------------------------------------------------------------- */

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
