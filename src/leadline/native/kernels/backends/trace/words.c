#include "backends/trace/words.h"

#include <stdlib.h>

#include "backends/trace/job.h"

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

void words_changed(uint64_t at, int source, int64_t depth)
{
    struct word *word = words_find(at);
    word = word ? word : added(at);
    word->source = source;
    word->depth = depth > word->depth ? depth : word->depth;
}

void words_forget(uint64_t at, size_t bytes)
{
    for (size_t i = 0; i < count;)
        if (words[i].at + sizeof(uint64_t) > at && words[i].at < at + bytes)
            words[i] = words[--count];
        else
            i++;
}
