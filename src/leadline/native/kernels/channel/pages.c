#include "channel/pages.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* `bytes` bytes of an open file; NULL where that can't be. */
static void *mapped(int fd, size_t bytes)
{
    if (ftruncate(fd, (off_t)bytes) != 0)
        return NULL;
    void *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return page == MAP_FAILED ? NULL : page;
}

void *page_map(const char *variable, int number, size_t bytes)
{
    const char *prefix = getenv(variable);
    char path[4096];
    if (!prefix || snprintf(path, sizeof path, "%s.%d", prefix, number) >= (int)sizeof path)
        return NULL;
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return NULL;
    void *page = mapped(fd, bytes);
    close(fd);
    return page;
}

void *page_in_memory(const char *name, size_t bytes)
{
    const int fd = memfd_create(name, MFD_CLOEXEC);
    return fd < 0 ? NULL : mapped(fd, bytes);
}
