/** Numbers in words, and texts that grow. */
#ifndef LEADLINE_SWITCH_WORDS_H
#define LEADLINE_SWITCH_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Reads all of `word` as a whole number to `value`. Returns whether it is one, within bounds. */
bool number_read(const char *word, int64_t least, int64_t most, int64_t *value);

/** A text that grows. */
struct text {
    char *letters; /**< [length] without an end */
    size_t length, room;
};

/** Adds to the end, as printf does; without memory the text stays as it is. */
__attribute__((format(printf, 2, 3))) void text_add(struct text *text, const char *format, ...);

void text_free(struct text *text);

#endif
