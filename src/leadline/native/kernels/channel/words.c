#include "channel/words.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

char *words_next(char **rest)
{
    char *word = *rest + strspn(*rest, " ");
    *rest = word + strcspn(word, " ");
    if (**rest)
        *(*rest)++ = '\0';
    return *word ? word : NULL;
}

char *words_value(char *word)
{
    char *equals = strchr(word, '=');
    if (!equals)
        return NULL;
    *equals = '\0';
    return equals + 1;
}

bool words_digits(const char **text, int64_t *value)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    errno = 0;
    *value = strtoll(*text, &end, 10);
    *text = end;
    return errno == 0;
}

bool words_number(const char *text, int64_t *value)
{
    return words_digits(&text, value) && *text == '\0';
}

bool words_number_after(const char *line, size_t bytes, const char *key, int64_t *value)
{
    const char *text = memmem(line, bytes, key, strlen(key));
    if (!text)
        return false;
    text += strlen(key);
    return words_digits(&text, value);
}

int words_index(const char *const *known, const char *word)
{
    for (int i = 0; known[i]; i++)
        if (strcmp(known[i], word) == 0)
            return i;
    return -1;
}

static void write_range(const struct ranges *ranges, const char *after)
{
    fprintf(ranges->to, "%" PRId64, ranges->first);
    if (ranges->last > ranges->first)
        fprintf(ranges->to, "-%" PRId64, ranges->last);
    fputs(after, ranges->to);
}

void ranges_add(struct ranges *ranges, int64_t number)
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
