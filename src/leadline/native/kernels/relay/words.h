/** Words of the lines that go over the control channel. */
#ifndef LEADLINE_RELAY_WORDS_H
#define LEADLINE_RELAY_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** The number after `key` (" id=") in the first `bytes` bytes of a line, its newline among them. */
bool number_after(const char *line, size_t bytes, const char *key, long *number);

/** Numbers that are written as "0-15,17"; begins with all but `to` zero. */
struct ranges {
    FILE *to;
    bool begun;
    int first, last; /* of the range that isn't written */
};

/** Adds a number, higher than those before. */
void ranges_add(struct ranges *ranges, int number);

/** Writes the last range. */
void ranges_end(struct ranges *ranges);

#endif
