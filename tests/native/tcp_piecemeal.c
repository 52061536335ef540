/**
 * Makes the kernel move a few bytes of a message at a time, over tcp: linked with
 * "-Wl,--wrap=send", "-Wl,--wrap=sendmsg" and "-Wl,--wrap=recv". What ranks say to each other
 * before the first message stays as it is.
 */
#include <sys/socket.h>
#include <sys/uio.h>

enum { HEADER_PIECE = 4, MOST_BYTES_AT_ONCE = 30011 };

ssize_t __wrap_send(int fd, const void *from, size_t bytes, int flags);
ssize_t __real_send(int fd, const void *from, size_t bytes, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags);
ssize_t __wrap_recv(int fd, void *to, size_t bytes, int flags);
ssize_t __real_recv(int fd, void *to, size_t bytes, int flags);

static size_t least(size_t one, size_t other)
{
    return one < other ? one : other;
}

ssize_t __wrap_send(int fd, const void *from, size_t bytes, int flags)
{
    return __real_send(fd, from, flags & MSG_DONTWAIT ? least(bytes, HEADER_PIECE) : bytes, flags);
}

ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags)
{
    const struct iovec *header = &message->msg_iov[0], *payload = &message->msg_iov[1];
    if (header->iov_len > 0)
        return __real_send(fd, header->iov_base, least(header->iov_len, HEADER_PIECE), flags);
    return __real_send(fd, payload->iov_base, least(payload->iov_len, MOST_BYTES_AT_ONCE), flags);
}

ssize_t __wrap_recv(int fd, void *to, size_t bytes, int flags)
{
    static unsigned calls;
    const size_t most = ++calls % 2 ? HEADER_PIECE : MOST_BYTES_AT_ONCE;
    return __real_recv(fd, to, flags & MSG_DONTWAIT ? least(bytes, most) : bytes, flags);
}
