#include "backends/trace/outbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "backends/trace/job.h"
#include "backends/trace/pipes.h"

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
