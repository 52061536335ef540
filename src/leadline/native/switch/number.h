/** Numbers in words. */
#ifndef LEADLINE_SWITCH_NUMBER_H
#define LEADLINE_SWITCH_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/** Reads all of `word` as a whole number to `value`. Returns whether it is one, within bounds. */
bool number_read(const char *word, int64_t least, int64_t most, int64_t *value);

#endif
