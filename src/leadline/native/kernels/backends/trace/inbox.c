#include "backends/trace/inbox.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "backends/trace/job.h"
#include "backends/trace/pipes.h"

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
