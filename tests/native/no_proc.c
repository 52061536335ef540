/** A system that says nothing in /proc: linked in with "-Wl,--wrap=open". */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);

int __wrap_open(const char *path, int flags, ...)
{
    va_list rest;
    if (strncmp(path, "/proc/", 6) == 0) {
        errno = ENOENT;
        return -1;
    }
    va_start(rest, flags);
    const int mode = va_arg(rest, int);
    va_end(rest);
    return __real_open(path, flags, mode);
}
