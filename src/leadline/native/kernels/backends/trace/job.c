#include "backends/trace/job.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct job job = {.rank = 0, .ranks = 1};

_Noreturn void job_fail(const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "leadline trace, rank %d: ", job.rank);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

const char *job_told(const char *name)
{
    const char *value = getenv(name);
    if (!value)
        job_fail("not started by leadline: %s is missing", name);
    return value;
}

void job_join(void)
{
    job.rank = atoi(job_told("LEADLINE_RANK"));
    job.ranks = atoi(job_told("LEADLINE_RANKS"));
    if (job.ranks < 1 || job.rank < 0 || job.rank >= job.ranks)
        job_fail("LEADLINE_RANK isn't below LEADLINE_RANKS, which is %d", job.ranks);
}
