#include "relay/listener.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

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
