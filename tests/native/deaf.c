/** A kernel that takes nothing in while it waits for room to send, and whose patience is short. */
#include <errno.h>
#include <stdbool.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PATIENCE_S = 3 };

ssize_t __real_read(int fd, void *to, size_t bytes);
ssize_t __wrap_read(int fd, void *to, size_t bytes);
ssize_t __real_writev(int fd, const struct iovec *parts, int count);
ssize_t __wrap_writev(int fd, const struct iovec *parts, int count);
unsigned __real_alarm(unsigned seconds);
unsigned __wrap_alarm(unsigned seconds);

static bool no_room;

ssize_t __wrap_writev(int fd, const struct iovec *parts, int count)
{
    const ssize_t written = __real_writev(fd, parts, count);
    no_room = written < 0;
    return written;
}

ssize_t __wrap_read(int fd, void *to, size_t bytes)
{
    if (!no_room)
        return __real_read(fd, to, bytes);
    errno = EAGAIN;
    return -1;
}

unsigned __wrap_alarm(unsigned seconds)
{
    (void)seconds;
    return __real_alarm(PATIENCE_S);
}
