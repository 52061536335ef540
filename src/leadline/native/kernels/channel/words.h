/**
 * Words and numbers of the lines that go over the control channel, and of the environment:
 * "key=value" between blanks, lists of numbers as "0-15,17".
 */
#ifndef LEADLINE_WORDS_H
#define LEADLINE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** Cuts the next word off `*rest`, which moves behind it; NULL: there are no more. */
char *words_next(char **rest);

/** Cuts `word` at its "=" and returns what stands behind; NULL: it has none. */
char *words_value(char *word);

/** Reads a whole number from 0 up off the beginning of `*text`, which moves behind it. */
bool words_digits(const char **text, int64_t *value);

/** The same where nothing else may follow. */
bool words_number(const char *text, int64_t *value);

/** The same after `key` (" id=") in the first `bytes` bytes of a line, its newline among them. */
bool words_number_after(const char *line, size_t bytes, const char *key, int64_t *value);

/** The index of `word` among `known`, which end with NULL; -1: not there. */
int words_index(const char *const *known, const char *word);

/** Numbers that are written as "0-15,17"; begins with all but `to` zero. */
struct ranges {
    FILE *to;
    bool begun;
    int64_t first, last; /* of the range that isn't written */
};

/** Adds a number, higher than those before. */
void ranges_add(struct ranges *ranges, int64_t number);

/** Writes the last range. */
void ranges_end(struct ranges *ranges);

#endif
