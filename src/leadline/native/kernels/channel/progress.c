#include "channel/progress.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

const char *const phase_names[PHASES] = {
    [PHASE_IDLE] = "idle",
    [PHASE_BUFFERS] = "arranging buffers",
    [PHASE_VALIDATION] = "validating",
    [PHASE_CALIBRATION] = "calibrating",
    [PHASE_WARM_UP] = "warming up",
    [PHASE_TIMING] = "timing",
};

static struct progress nobody_looks;
static volatile struct progress *page = &nobody_looks;

void progress_open(int rank)
{
    const char *prefix = getenv("LEADLINE_PROGRESS");
    char path[4096];
    if (!prefix || snprintf(path, sizeof path, "%s.%d", prefix, rank) >= (int)sizeof path)
        return;
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    if (ftruncate(fd, sizeof *page) == 0) {
        void *mapped = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        page = mapped == MAP_FAILED ? page : mapped;
    }
    close(fd);
}

void progress_enter(int64_t slice, enum phase phase)
{
    page->slice = slice;
    page->phase = phase;
    page->batch = 0;
}

void progress_advance(void)
{
    page->batch++;
}
