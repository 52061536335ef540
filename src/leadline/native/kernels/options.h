/**
 * What a pattern can be asked for besides its size: words out of small sets, the first of a set
 * the default. A new option is a value here, a row in options.c, and its bit in the patterns that
 * take it; the front-end learns of it from `--describe`.
 */
#ifndef LEADLINE_OPTIONS_H
#define LEADLINE_OPTIONS_H

#include <stdbool.h>

enum option_key {
    OPTION_OP,   /* enum tp_op */
    OPTION_TYPE, /* enum tp_type */
    OPTION_CONTENTION,
    OPTIONS,
};

struct option {
    const char *key;          /* of the command stream */
    const char *const *words; /* until NULL; no word belongs to two options */
};

extern const struct option options[OPTIONS];

/** The index of `word` among `words`, which end with NULL; -1: not there. */
int options_index(const char *const *words, const char *word);

/** Sets chosen[option] to the index of `word` if `key` is an option's and knows the word. */
bool options_choose(int chosen[OPTIONS], const char *key, const char *word);

#endif
