#include "backends/trace/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* -- the job ----------------------------------------------------------------------------------- */

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

/* -- pipes ------------------------------------------------------------------------------------- */

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

/* -- outbox ------------------------------------------------------------------------------------ */

struct letter {
    struct letter *next;
    int peer;
    struct piece head; /* of the next piece */
    const char *from;  /* its payload */
    bool *sent;
};

static struct letter *first, **end = &first;

static uint64_t payload_of(uint64_t left)
{
    return left < PAYLOAD_BYTES ? left : PAYLOAD_BYTES;
}

void outbox_add(int peer, struct piece head, const void *from, size_t bytes, bool *sent)
{
    struct letter *letter = malloc(sizeof *letter);
    if (!letter)
        job_fail("no memory for a message of %zu bytes to rank %d", bytes, peer);
    head.source = job.rank;
    head.bytes = payload_of(bytes);
    head.left = bytes - head.bytes;
    *letter = (struct letter){NULL, peer, head, from, sent};
    *end = letter;
    end = &letter->next;
}

/* A pipe takes all of a piece or nothing. */
static bool piece_written(const struct letter *letter)
{
    struct piece head = letter->head;
    const struct iovec parts[] = {{&head, sizeof head}, {(char *)letter->from, head.bytes}};
    ssize_t written;
    do
        written = writev(pipe_of(letter->peer), parts, 2);
    while (written < 0 && errno == EINTR);
    if (written < 0 && errno != EAGAIN)
        job_fail("can't write to rank %d: %s", letter->peer, strerror(errno));
    return written > 0;
}

static bool written(struct letter *letter)
{
    while (piece_written(letter)) {
        struct piece *head = &letter->head;
        if (head->left == 0)
            return true;
        letter->from += head->bytes;
        head->at += head->bytes;
        head->bytes = payload_of(head->left);
        head->left -= head->bytes;
    }
    return false;
}

void outbox_move(void)
{
    while (first && written(first)) {
        struct letter *letter = first;
        first = letter->next;
        end = first ? end : &first;
        if (letter->sent)
            *letter->sent = true;
        free(letter);
    }
}

int outbox_waits_for(void)
{
    return first ? pipe_of(first->peer) : -1;
}

/* -- inbox ------------------------------------------------------------------------------------- */

enum { STAGE_BYTES = 16 * PIPE_BUF }; /* as much as a pipe holds */

/** What has been read and not yet been taken: [begin, end). */
static struct {
    size_t begin, end;
    char bytes[STAGE_BYTES];
} stage;

bool inbox_read(void)
{
    memmove(stage.bytes, stage.bytes + stage.begin, stage.end - stage.begin);
    stage.end -= stage.begin;
    stage.begin = 0;
    const ssize_t got =
        read(pipe_of(job.rank), stage.bytes + stage.end, sizeof stage.bytes - stage.end);
    if (got < 0 && errno != EAGAIN && errno != EINTR)
        job_fail("can't read from its pipe: %s", strerror(errno));
    stage.end += got > 0 ? (size_t)got : 0;
    return got > 0;
}

bool inbox_next(struct piece *piece, const char **payload)
{
    const size_t staged = stage.end - stage.begin;
    if (staged < sizeof *piece)
        return false;
    memcpy(piece, stage.bytes + stage.begin, sizeof *piece);
    if (staged < sizeof *piece + piece->bytes)
        return false;
    *payload = stage.bytes + stage.begin + sizeof *piece;
    stage.begin += sizeof *piece + piece->bytes;
    return true;
}
