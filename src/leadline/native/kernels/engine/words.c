#include "engine/words.h"

#include <ctype.h>
#include <errno.h>
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

int words_index(const char *const *known, const char *word)
{
    for (int i = 0; known[i]; i++)
        if (strcmp(known[i], word) == 0)
            return i;
    return -1;
}
