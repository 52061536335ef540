#include "backends/trace/pipes.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/trace/job.h"

static const char *stem;
static int *descriptors; /* [rank]; -1: not open */

/* A rank that writes to all others has a descriptor for each. */
static void raise_limit(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return;
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

static const char *path_of(int rank)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s.%d", stem, rank);
    return path;
}

static _Noreturn void fail_to_open(int rank)
{
    const int cause = errno;
    struct rlimit files = {0};
    getrlimit(RLIMIT_NOFILE, &files);
    if (cause == EMFILE)
        job_fail("can't open rank %d's pipe: a process may have %lu files open here; raise that "
                 "(ulimit -Hn), or give fewer ranks",
                 rank, (unsigned long)files.rlim_cur);
    job_fail("can't open rank %d's pipe, %s: %s; set TMPDIR to a directory that takes named pipes",
             rank, path_of(rank), strerror(cause));
}

static int opened(int rank)
{
    const char *path = path_of(rank);
    const int how = O_RDWR | O_NONBLOCK | O_CLOEXEC;
    int fd = open(path, how);
    if (fd < 0 && errno == ENOENT && (mkfifo(path, S_IRUSR | S_IWUSR) == 0 || errno == EEXIST))
        fd = open(path, how);
    if (fd < 0)
        fail_to_open(rank);
    return fd;
}

void pipes_open(void)
{
    stem = job_told("LEADLINE_INBOX");
    descriptors = malloc((size_t)job.ranks * sizeof *descriptors);
    if (!descriptors)
        job_fail("no memory for %d pipes", job.ranks);
    for (int rank = 0; rank < job.ranks; rank++)
        descriptors[rank] = -1;
    raise_limit();
    pipe_of(job.rank);
}

int pipe_of(int rank)
{
    if (descriptors[rank] < 0)
        descriptors[rank] = opened(rank);
    return descriptors[rank];
}

void pipes_close(void)
{
    for (int rank = 0; rank < job.ranks; rank++)
        if (descriptors[rank] >= 0)
            close(descriptors[rank]);
    unlink(path_of(job.rank));
    free(descriptors);
}
