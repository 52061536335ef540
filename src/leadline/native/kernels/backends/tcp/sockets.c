#include "backends/tcp/sockets.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int own_rank;

void tcp_fails_as(int rank)
{
    own_rank = rank;
}

_Noreturn void tcp_fail(const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "leadline tcp, rank %d: ", own_rank);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

enum {
    PATIENCE_MS = 30000,
    TRY_NS = 1000000,
    BACKLOG = 4096, /* the kernel takes its own limit where that is lower */
};

struct address address_of(const char *text)
{
    char host[256];
    struct address address = {0};
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    const char *colon = strrchr(text, ':');
    if (!colon || (size_t)(colon - text) >= sizeof host)
        tcp_fail("LEADLINE_RENDEZVOUS is not address:port: %s", text);
    snprintf(host, sizeof host, "%.*s", (int)(colon - text), text);
    const int status = getaddrinfo(host, colon + 1, &hints, &found);
    if (status != 0)
        tcp_fail("LEADLINE_RENDEZVOUS is nowhere: %s: %s", text, gai_strerror(status));
    address.length = found->ai_addrlen;
    memcpy(&address.at, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    return address;
}

struct address address_beside(int fd)
{
    struct address address = {.length = sizeof address.at};
    if (getsockname(fd, (struct sockaddr *)&address.at, &address.length) != 0)
        tcp_fail("can't tell this host's address: %s", strerror(errno));
    if (address.at.ss_family == AF_INET6)
        ((struct sockaddr_in6 *)&address.at)->sin6_port = 0;
    else
        ((struct sockaddr_in *)&address.at)->sin_port = 0;
    return address;
}

const char *address_text(const struct address *address)
{
    static char text[NI_MAXHOST + NI_MAXSERV + 1];
    char host[NI_MAXHOST] = "?", port[NI_MAXSERV] = "?";
    getnameinfo((const struct sockaddr *)&address->at, address->length, host, sizeof host, port,
                sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(text, sizeof text, "%s:%s", host, port);
    return text;
}

static int new_socket(const struct address *address)
{
    const int on = 1;
    const int fd = socket(address->at.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        tcp_fail("can't make a socket: %s", strerror(errno));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); /* accepted sockets inherit it */
    return fd;
}

int listen_at(struct address *address)
{
    const int on = 1, fd = new_socket(address);
    struct sockaddr *at = (struct sockaddr *)&address->at;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, at, address->length) != 0 || listen(fd, BACKLOG) != 0)
        tcp_fail("can't listen at %s: %s", address_text(address), strerror(errno));
    getsockname(fd, at, &address->length);
    return fd;
}

int connect_to(const struct address *address)
{
    int cause = 0;
    for (int tried_ms = 0; tried_ms < PATIENCE_MS; tried_ms++) {
        const int fd = new_socket(address);
        if (connect(fd, (const struct sockaddr *)&address->at, address->length) == 0)
            return fd;
        cause = errno;
        close(fd);
        if (cause != ECONNREFUSED && cause != EINTR)
            break;
        nanosleep(&(struct timespec){.tv_nsec = TRY_NS}, NULL);
    }
    tcp_fail("can't connect to %s: %s", address_text(address), strerror(cause));
}

int next_connection(int listener)
{
    struct pollfd line = {.fd = listener, .events = POLLIN};
    int ready;
    while ((ready = poll(&line, 1, PATIENCE_MS)) < 0 && errno == EINTR)
        ;
    return ready > 0 ? accept4(listener, NULL, NULL, SOCK_CLOEXEC) : -1;
}

bool read_whole(int fd, void *to, size_t bytes)
{
    ssize_t got;
    while ((got = recv(fd, to, bytes, MSG_WAITALL)) < 0 && errno == EINTR)
        ;
    return got == (ssize_t)bytes;
}

bool write_whole(int fd, const void *from, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t sent = send(fd, (const char *)from + done, bytes - done, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        done += sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

void limit_reading(int fd, int seconds)
{
    const struct timeval limit = {.tv_sec = seconds};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}
