#include "words.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool number_read(const char *word, int64_t least, int64_t most, int64_t *value)
{
    char *end;
    errno = 0;
    const int64_t read = strtoll(word, &end, 10);
    if (errno != 0 || end == word || *end || read < least || read > most)
        return false;
    *value = read;
    return true;
}

enum { LINE = 256 };

void text_add(struct text *text, const char *format, ...)
{
    if (text->room - text->length < LINE) {
        char *letters = realloc(text->letters, 2 * text->room + LINE);
        if (!letters)
            return;
        text->letters = letters;
        text->room = 2 * text->room + LINE;
    }
    va_list values;
    va_start(values, format);
    const int length = vsnprintf(text->letters + text->length, LINE, format, values);
    va_end(values);
    if (length > 0 && length < LINE)
        text->length += (size_t)length;
}

void text_free(struct text *text)
{
    free(text->letters);
    *text = (struct text){0};
}
