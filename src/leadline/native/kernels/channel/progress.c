#include "channel/progress.h"

#include <stdlib.h>

#include "channel/pages.h"

#define PROGRESS_VARIABLE "LEADLINE_PROGRESS"

const char *const phase_names[PHASES] = {
    [PHASE_IDLE] = "idle",
    [PHASE_CLOCKS] = "fitting clocks",
    [PHASE_BUFFERS] = "arranging buffers",
    [PHASE_VALIDATION] = "validating",
    [PHASE_CALIBRATION] = "calibrating",
    [PHASE_WARM_UP] = "warming up",
    [PHASE_TRACING] = "tracing",
    [PHASE_TIMING] = "timing",
};

static struct progress nobody_looks;
static volatile struct progress *page = &nobody_looks;

void progress_open(int rank)
{
    volatile struct progress *mapped = page_map(PROGRESS_VARIABLE, rank, sizeof *page);
    if (!mapped && getenv(PROGRESS_VARIABLE)) /* its folder is another host's */
        mapped = page_in_memory("leadline-progress", sizeof *page);
    page = mapped ? mapped : page;
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
