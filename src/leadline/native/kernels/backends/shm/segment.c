#include "backends/shm/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum {
    ATTACH_TRIES = 30000, /* 30 s */
    TRY_NS = 1000000,
    QUIET_POLLS = 100000, /* some 0.3 ms: a core to itself is not given away for a busy peer */
    CROWDED_POLLS = 100,  /* more ranks than cores: the peer may be waiting for this very core */
};

struct job job = {.rank = 0, .ranks = 1};

static size_t segment_bytes;

int tp_rank(void)
{
    return job.rank;
}

int tp_size(void)
{
    return job.ranks;
}

_Noreturn void shm_fail(const char *what, const char *detail)
{
    fprintf(stderr, "leadline shm, rank %d: %s: %s\n", job.rank, what, detail);
    exit(EXIT_FAILURE);
}

static void pause_briefly(void)
{
    nanosleep(&(struct timespec){.tv_nsec = TRY_NS}, NULL);
}

static size_t rounded(size_t bytes)
{
    return (bytes + 4095) / 4096 * 4096;
}

static int created(const char *name)
{
    const int fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd < 0)
        shm_fail("can't create the shared segment", strerror(errno));
    struct statvfs room;
    const bool fits = fstatvfs(fd, &room) != 0 || room.f_bavail >= segment_bytes / room.f_bsize;
    if (!fits)
        errno = ENOSPC; /* without this check the first touch of a missing page ends the process */
    if (!fits || ftruncate(fd, (off_t)segment_bytes) != 0) {
        const int cause = errno;
        shm_unlink(name);
        shm_fail("can't size the shared segment; give /dev/shm more room", strerror(cause));
    }
    return fd;
}

/* Rank 0 may not have created it yet, or not have given it its size. */
static int opened(const char *name)
{
    for (int i = 0; i < ATTACH_TRIES; i++, pause_briefly()) {
        const int fd = shm_open(name, O_RDWR, 0600);
        if (fd >= 0 && lseek(fd, 0, SEEK_END) >= (off_t)segment_bytes)
            return fd;
        if (fd >= 0)
            close(fd);
    }
    shm_fail("rank 0 never made the shared segment", name);
}

static void map(int fd)
{
    void *mapped = mmap(NULL, segment_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED)
        shm_fail("can't map the shared segment", strerror(errno));
    const size_t ranks = (size_t)job.ranks;
    job.segment = mapped;
    job.lines = (struct rank_lines *)((char *)mapped + rounded(sizeof(struct segment)));
    job.channels = (struct channel *)((char *)job.lines + rounded(ranks * sizeof *job.lines));
    close(fd);
}

static void await_all(const char *name)
{
    atomic_fetch_add(&job.segment->attached.value, 1);
    for (int i = 0; atomic_load(&job.segment->attached.value) < (uint64_t)job.ranks; i++) {
        if (i == ATTACH_TRIES) {
            shm_unlink(name);
            shm_fail("not all ranks attached to the shared segment", name);
        }
        pause_briefly();
    }
}

void segment_attach(void)
{
    char name[256];
    const char *rank = getenv("LEADLINE_RANK"), *ranks = getenv("LEADLINE_RANKS");
    const char *token = getenv("LEADLINE_JOB");
    if (!rank || !ranks || !token)
        shm_fail("not started by leadline", "LEADLINE_RANK, _RANKS or _JOB is missing");
    job.rank = atoi(rank);
    job.ranks = atoi(ranks);
    if (job.ranks < 1 || job.rank < 0 || job.rank >= job.ranks)
        shm_fail("LEADLINE_RANK isn't below LEADLINE_RANKS", rank);
    job.crowded = job.ranks > sysconf(_SC_NPROCESSORS_ONLN);
    job.patience = job.crowded ? CROWDED_POLLS : QUIET_POLLS;
    snprintf(name, sizeof name, "/leadline-%.200s", token);
    const size_t count = (size_t)job.ranks;
    segment_bytes = rounded(sizeof(struct segment)) + rounded(count * sizeof(struct rank_lines)) +
                    count * count * sizeof(struct channel);
    map(job.rank == 0 ? created(name) : opened(name));
    await_all(name);
    if (job.rank == 0)
        shm_unlink(name); /* at once: a kill leaves nothing behind */
}

void segment_detach(void)
{
    munmap(job.segment, segment_bytes);
}
