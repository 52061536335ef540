#include "backends/trace/arrivals.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "transport/job.h"

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

/* -- symmetric memory: words ------------------------------------------------------------------- */

static struct word *words; /* in no order */
static size_t count, room;

struct word *words_find(uint64_t at)
{
    for (size_t i = 0; i < count; i++)
        if (words[i].at == at)
            return &words[i];
    return NULL;
}

static struct word *added(uint64_t at)
{
    if (count == room) {
        room = 2 * room + 16;
        words = realloc(words, room * sizeof *words);
        if (!words)
            job_fail("no memory for %zu words", room);
    }
    words[count] = (struct word){.at = at};
    return &words[count++];
}

/* A flag, or an atomic, of `source` at `depth` has changed the word at `at`. */
static void words_changed(uint64_t at, int source, int64_t depth)
{
    struct word *word = words_find(at);
    word = word ? word : added(at);
    word->source = source;
    word->depth = depth > word->depth ? depth : word->depth;
}

/* A put has written over `bytes` bytes from `at` on. */
static void words_forget(uint64_t at, size_t bytes)
{
    for (size_t i = 0; i < count;)
        if (words[i].at + sizeof(uint64_t) > at && words[i].at < at + bytes)
            words[i] = words[--count];
        else
            i++;
}

/* -- symmetric memory: the block --------------------------------------------------------------- */

static struct {
    char *memory;
    size_t bytes;
} block;

void *symmetric_block(size_t bytes)
{
    if (bytes > block.bytes) {
        free(block.memory);
        block.bytes = tp_whole_pages(bytes);
        block.memory = aligned_alloc(tp_page_bytes(), block.bytes);
        block.bytes = block.memory ? block.bytes : 0;
        words_forget(0, SIZE_MAX);
    }
    return block.memory;
}

uint64_t symmetric_place(const void *address)
{
    return (uint64_t)((const char *)address - block.memory);
}

static void put(const struct piece *request, const char *payload)
{
    if (request->bytes == 0)
        return;
    memmove(block.memory + request->at, payload, request->bytes);
    words_forget(request->at, request->bytes);
}

static uint64_t changed(uint64_t at, uint64_t value, const struct piece *request)
{
    uint64_t *word = (uint64_t *)(void *)(block.memory + at);
    const uint64_t before = *word;
    *word = value;
    words_changed(at, request->source, request->depth);
    return before;
}

uint64_t symmetric_obey(const struct piece *request, const char *payload)
{
    const uint64_t *word = (const uint64_t *)(const void *)(block.memory + request->at);
    switch (request->kind) {
    case FETCH_ADD:
        return changed(request->at, *word + request->value, request);
    case COMPARE_SWAP:
        return changed(request->at, *word == request->expected ? request->value : *word, request);
    case FLAG:
        put(request, payload);
        return request->left == 0 ? changed(request->word, request->value, request) : 0;
    default:
        put(request, payload);
        return 0;
    }
}

void symmetric_serve(const struct piece *request, const char *payload)
{
    if (request->kind == GET) {
        answers_give(request->source, 0, block.memory + request->at, request->value);
        return;
    }
    const uint64_t before = symmetric_obey(request, payload);
    if (request->left == 0)
        answers_give(request->source, before, NULL, 0);
}

/* -- progress ---------------------------------------------------------------------------------- */

static void take(const struct piece *piece, const char *payload)
{
    if (piece->kind == MESSAGE || piece->kind == SYNCHRONOUS)
        arrivals_take(piece, payload);
    else if (piece->kind == ANSWER)
        answers_take(piece, payload);
    else
        symmetric_serve(piece, payload);
}

static bool take_in(void)
{
    struct piece piece;
    const char *payload;
    const bool came = inbox_read();
    while (inbox_next(&piece, &payload))
        take(&piece, payload);
    return came;
}

static void take_in_or_sleep(void)
{
    if (take_in())
        return;
    struct pollfd pipes[] = {
        {.fd = pipe_of(job.rank), .events = POLLIN},
        {.fd = outbox_waits_for(), .events = POLLOUT},
    };
    poll(pipes, 2, -1);
}

void progress(void)
{
    outbox_move();
    take_in();
}

void progress_or_sleep(void)
{
    outbox_move();
    take_in_or_sleep();
}

/* Never sleeps with an empty outbox: what it waited for may just have left. */
void progress_until_sent(void)
{
    for (outbox_move(); outbox_waits_for() >= 0; outbox_move())
        take_in_or_sleep();
}

void progress_until(const bool *done)
{
    while (!*done)
        progress_or_sleep();
    progress_until_sent();
}
