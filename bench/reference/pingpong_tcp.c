/**
 * The ping-pong that one would write by hand over TCP: send and recv straight in the loop, no
 * header, no tag, polling without rest.
 *
 * Linked into a kernel as its extra pattern, it shares process, buffers and clock with the tool's
 * own ping-pong. It has a connection of its own with the same options; the transport is only used
 * to say where rank 0 listens.
 */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "patterns/pattern.h"

enum { TAG = 1 };

static int connection = -1;

static int require(int result)
{
    if (result < 0)
        abort();
    return result;
}

static int listening(struct sockaddr_in *at)
{
    socklen_t length = sizeof *at;
    const int fd = require(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    require(bind(fd, (struct sockaddr *)at, length));
    require(listen(fd, 1));
    require(getsockname(fd, (struct sockaddr *)at, &length));
    return fd;
}

static void connect_both(int rank)
{
    const int on = 1;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (rank == 0) {
        const int listener = listening(&at);
        tp_send(&at, sizeof at, 1, TAG);
        connection = require(accept4(listener, NULL, NULL, SOCK_CLOEXEC));
        close(listener);
    } else {
        connection = require(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        tp_recv(&at, sizeof at, 0, TAG);
        require(connect(connection, (struct sockaddr *)&at, sizeof at));
    }
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static void send_all(const char *from, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t sent = send(connection, from, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
        from += sent > 0 ? sent : 0;
        bytes -= sent > 0 ? (size_t)sent : 0;
    }
}

static void receive_all(char *to, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t got = recv(connection, to, bytes, MSG_DONTWAIT);
        to += got > 0 ? got : 0;
        bytes -= got > 0 ? (size_t)got : 0;
    }
}

static void pingpong_by_hand(const struct cell *cell, long first, long last)
{
    const size_t bytes = cell->size_bytes;
    char *out = ring_at(&cell->out, 0), *in = ring_at(&cell->in, 0);
    if (connection < 0)
        connect_both(cell->rank);
    for (long i = first; i < last; i++) {
        if (cell->rank == 0)
            send_all(out, bytes);
        receive_all(in, bytes);
        if (cell->rank != 0)
            send_all(out, bytes);
    }
}

const struct pattern pattern_extra = {
    .name = "pingpong_by_hand",
    .summary = "half round trip between ranks 0 and 1, written by hand",
    .algorithm = "native",
    .participants = 2,
    .messages_per_repetition = 2,
    .granularity = 1,
    .least_bytes = 1,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = pingpong_by_hand,
};
