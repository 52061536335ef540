/**
 * A rank that dies in the middle of the first large message that it sends over tcp: linked with
 * "-Wl,--wrap=sendmsg".
 */
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { LEAST_LARGE_BYTES = 1000, STATUS = 9 };

ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags);
ssize_t __real_sendmsg(int fd, const struct msghdr *message, int flags);

ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags)
{
    struct iovec parts[] = {message->msg_iov[0], message->msg_iov[1]};
    const struct msghdr half = {.msg_iov = parts, .msg_iovlen = 2};
    if (parts[1].iov_len < LEAST_LARGE_BYTES)
        return __real_sendmsg(fd, message, flags);
    parts[1].iov_len /= 2;
    __real_sendmsg(fd, &half, flags);
    _exit(STATUS);
}
