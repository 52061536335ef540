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
    OPTION_ROOT,
    OPTION_COUNTS,
    OPTION_OVERLAP,
    OPTION_CONTENTION,
    OPTION_DEPTH, /* powers of 4 */
    OPTIONS,
};

/** Words of OPTION_ROOT: one rank in all repetitions, or each in turn. */
enum root_word { ROOT_FIXED, ROOT_ROTATING };

/** Words of OPTION_COUNTS: blocks of equal length, or in proportion to the rank plus one. */
enum counts_word { COUNTS_EVEN, COUNTS_SKEWED };

/**
 * Words of OPTION_OVERLAP: the operation started and waited for; with computation in between;
 * with tests of the operation during the computation; the same computation alone.
 */
enum overlap_word { OVERLAP_NONE, OVERLAP_UNTESTED, OVERLAP_TESTED, OVERLAP_COMPUTING };

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
