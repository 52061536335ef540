/** A command's words: "key=value" between blanks. */
#ifndef LEADLINE_WORDS_H
#define LEADLINE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

/** Cuts the next word off `*rest`, which moves behind it; NULL: there are no more. */
char *words_next(char **rest);

/** Cuts `word` at its "=" and returns what stands behind; NULL: it has none. */
char *words_value(char *word);

/** Reads a whole number from 0 up off the beginning of `*text`, which moves behind it. */
bool words_digits(const char **text, int64_t *value);

/** The same where nothing else may follow. */
bool words_number(const char *text, int64_t *value);

/** The index of `word` among `known`, which end with NULL; -1: not there. */
int words_index(const char *const *known, const char *word);

#endif
