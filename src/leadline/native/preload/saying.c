#include "saying.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

enum {
    MOST_LINES = 256, /**< beyond, a program makes ever new communicators: nothing more is said */
    MOST_BYTES = 1024
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t said[MOST_LINES];
static int count;
static saying_claim *claim; /**< NULL: nobody else is asked */

/** The key of `line` (FNV-1a, Fowler, Noll and Vo). */
static uint64_t key_of(const char *line)
{
    uint64_t key = 0xcbf29ce484222325;
    for (; *line; line++)
        key = (key ^ (unsigned char)*line) * 0x100000001b3;
    return key;
}

static bool is_ours(uint64_t key)
{
    char name[SAYING_NAME_BYTES];
    snprintf(name, sizeof name, "said-%016" PRIx64, key);
    return !claim || claim(name);
}

/** One write, so that lines of several processes don't mix. */
static void say_once(const char *line)
{
    const uint64_t key = key_of(line);
    pthread_mutex_lock(&lock);
    int known = 0;
    while (known < count && said[known] != key)
        known++;
    if (known == count && count < MOST_LINES) {
        said[count++] = key;
        if (is_ours(key))
            fprintf(stderr, "%s", line);
    }
    pthread_mutex_unlock(&lock);
}

static void say_after(const char *begin, const char *format, va_list arguments)
{
    char text[MOST_BYTES], line[MOST_BYTES + 32];
    vsnprintf(text, sizeof text, format, arguments);
    snprintf(line, sizeof line, "leadline: %s%s\n", begin, text);
    say_once(line);
}

void saying_asks(saying_claim *asked)
{
    pthread_mutex_lock(&lock);
    claim = asked;
    pthread_mutex_unlock(&lock);
}

void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_after("", format, arguments);
    va_end(arguments);
}

void warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_after("warning: ", format, arguments);
    va_end(arguments);
}
