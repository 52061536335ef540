#include "relay/words.h"

#include <stdlib.h>
#include <string.h>

bool number_after(const char *line, size_t bytes, const char *key, long *number)
{
    const char *word = memmem(line, bytes, key, strlen(key));
    if (!word)
        return false;
    char *end;
    *number = strtol(word + strlen(key), &end, 10);
    return end != word + strlen(key);
}

static void write_range(const struct ranges *ranges, const char *after)
{
    fprintf(ranges->to, "%d", ranges->first);
    if (ranges->last > ranges->first)
        fprintf(ranges->to, "-%d", ranges->last);
    fputs(after, ranges->to);
}

void ranges_add(struct ranges *ranges, int number)
{
    if (ranges->begun && number == ranges->last + 1) {
        ranges->last = number;
        return;
    }
    if (ranges->begun)
        write_range(ranges, ",");
    ranges->begun = true;
    ranges->first = ranges->last = number;
}

void ranges_end(struct ranges *ranges)
{
    if (ranges->begun)
        write_range(ranges, "");
}
