#include "channel/pages.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void *page_map(const char *variable, int number, size_t bytes)
{
    const char *prefix = getenv(variable);
    char path[4096];
    if (!prefix || snprintf(path, sizeof path, "%s.%d", prefix, number) >= (int)sizeof path)
        return NULL;
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return NULL;
    void *mapped = MAP_FAILED;
    if (ftruncate(fd, (off_t)bytes) == 0)
        mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return mapped == MAP_FAILED ? NULL : mapped;
}
