#include "backends/trace/symmetric.h"

#include <stdlib.h>
#include <string.h>

#include "backends/trace/job.h"
#include "backends/trace/matching.h"
#include "transport/job.h"

/* -- words ------------------------------------------------------------------------------------- */

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

/* -- the block --------------------------------------------------------------------------------- */

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
