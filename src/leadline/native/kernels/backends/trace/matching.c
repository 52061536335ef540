#include "backends/trace/matching.h"

#include <stdlib.h>
#include <string.h>

#include "backends/trace/job.h"
#include "backends/trace/wire.h"

/* -- answers ----------------------------------------------------------------------------------- */

struct answer answer;

void answers_expect(void *to)
{
    answer = (struct answer){.to = to};
}

void answers_take(const struct piece *piece, const char *payload)
{
    if (piece->bytes > 0)
        memcpy(answer.to, payload, piece->bytes);
    answer.to += piece->bytes;
    answer.value = piece->value;
    answer.came = piece->left == 0;
}

void answers_give(int peer, uint64_t value, const void *from, size_t bytes)
{
    outbox_add(peer, (struct piece){.kind = ANSWER, .value = value}, from, bytes, NULL);
}

/* -- messages and receives --------------------------------------------------------------------- */

static struct queue receives;     /* that wait for their message */
static struct queue messages;     /* that wait for their receive */
static struct arrival **arriving; /* [source] the message of which pieces are missing */

void arrivals_open(void)
{
    arriving = calloc((size_t)job.ranks, sizeof *arriving);
    if (!arriving)
        job_fail("no memory for messages of %d ranks", job.ranks);
}

/* `receive` is for the message of `message`, whose first piece has come. */
static void begin(struct arrival *receive, const struct arrival *message)
{
    if (message->bytes > receive->bytes)
        job_fail("a message of rank %d doesn't fit its receive: expected tag %d and at most %zu "
                 "bytes, seen tag %d and %zu bytes",
                 message->source, receive->entry.tag, receive->bytes, receive->entry.tag,
                 message->bytes);
    receive->source = message->source;
    receive->depth = message->depth;
    receive->bytes = receive->left = message->bytes;
    if (message->synchronous)
        answers_give(message->source, 0, NULL, 0);
}

static void add(struct arrival *arrival, const char *payload, size_t bytes)
{
    if (bytes > 0)
        memcpy(arrival->at, payload, bytes);
    arrival->at += bytes;
    arrival->left -= bytes;
    arrival->complete = arrival->left == 0;
}

/* The rest of a message that is still on its way goes straight to the receive. */
static void deliver(struct arrival *message, struct arrival *receive)
{
    begin(receive, message);
    add(receive, (const char *)(message + 1), message->bytes - message->left);
    if (arriving[message->source] == message)
        arriving[message->source] = receive;
    free(message);
}

void arrivals_ask(struct arrival *receive, void *to, size_t bytes, int source, int tag)
{
    *receive = (struct arrival){.entry = {.source = source, .tag = tag}, .at = to, .bytes = bytes};
    struct arrival *message = (void *)queue_take(&messages, source, tag);
    if (message)
        deliver(message, receive);
    else
        queue_add(&receives, &receive->entry);
}

static struct arrival *keep(const struct arrival *seen)
{
    struct arrival *message = malloc(sizeof *message + seen->bytes);
    if (!message)
        job_fail("no memory for a message of %zu bytes with tag %d of rank %d, which nobody has "
                 "asked for yet; receive it earlier",
                 seen->bytes, seen->entry.tag, seen->source);
    *message = *seen;
    message->at = (char *)(message + 1);
    queue_add(&messages, &message->entry);
    return message;
}

/* Finds out where a message is to go whose first piece has come. */
static struct arrival *begun(const struct piece *piece)
{
    const size_t bytes = piece->bytes + piece->left;
    const struct arrival seen = {
        .entry = {.source = piece->source, .tag = piece->tag},
        .bytes = bytes,
        .left = bytes,
        .depth = piece->depth,
        .source = piece->source,
        .synchronous = piece->kind == SYNCHRONOUS,
    };
    struct arrival *receive = (void *)queue_take(&receives, piece->source, piece->tag);
    if (!receive)
        return keep(&seen);
    begin(receive, &seen);
    return receive;
}

void arrivals_take(const struct piece *piece, const char *payload)
{
    struct arrival **under_way = &arriving[piece->source];
    if (!*under_way)
        *under_way = begun(piece);
    add(*under_way, payload, piece->bytes);
    if (piece->left == 0)
        *under_way = NULL;
}
