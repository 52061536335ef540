/** A kernel in which nobody sleeps until something happens: poll returns at once. */
#include <poll.h>

int __wrap_poll(struct pollfd *lines, nfds_t count, int timeout);

int __wrap_poll(struct pollfd *lines, nfds_t count, int timeout)
{
    (void)lines, (void)count, (void)timeout;
    return 0;
}
