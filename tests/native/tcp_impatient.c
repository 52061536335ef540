/** Ranks over tcp that wait a moment only for each other: linked with "-Wl,--wrap=poll". */
#include <poll.h>

enum { PATIENCE_MS = 100 };

int __wrap_poll(struct pollfd *lines, nfds_t count, int timeout_ms);
int __real_poll(struct pollfd *lines, nfds_t count, int timeout_ms);

int __wrap_poll(struct pollfd *lines, nfds_t count, int timeout_ms)
{
    return __real_poll(lines, count, timeout_ms < 0 ? timeout_ms : PATIENCE_MS);
}
