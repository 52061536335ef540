/** What a command chooses of a pattern's options. */
#ifndef LEADLINE_CHOICES_H
#define LEADLINE_CHOICES_H

#include <stdbool.h>

#include "patterns/pattern.h"

struct choices {
    int chosen[OPTIONS];      /* index of the word of each option */
    int64_t numbers[OPTIONS]; /* value of each that is a number, or a time in ns */
    struct dims dims;
};

/** The defaults of all options. */
struct choices choices_usual(void);

/** Sets what `key` is an option's and `text` a value of, within its bounds; false: it isn't. */
bool choices_set(struct choices *choices, const char *key, const char *text);

/** The number of a grid's vertices. */
int choices_vertices(struct dims dims);

#endif
