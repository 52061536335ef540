/** A text that grows. */
#ifndef LEADLINE_SWITCH_TEXT_H
#define LEADLINE_SWITCH_TEXT_H

#include <stddef.h>

struct text {
    char *letters; /**< [length] without an end */
    size_t length, room;
};

/** Adds to the end, as printf does; without memory the text stays as it is. */
__attribute__((format(printf, 2, 3))) void text_add(struct text *text, const char *format, ...);

void text_free(struct text *text);

#endif
