/** What the messages of all programs that check a backend hold. */
#ifndef LEADLINE_TESTS_CONTENTS_H
#define LEADLINE_TESTS_CONTENTS_H

#include <stddef.h>

/** The byte at `offset` of a message; another `seed`, another message. */
static inline unsigned char byte_of(size_t offset, int seed)
{
    return (unsigned char)((offset * 2654435761u >> 7) + (size_t)seed * 37u);
}

static inline void fill(unsigned char *message, size_t bytes, int seed)
{
    for (size_t i = 0; i < bytes; i++)
        message[i] = byte_of(i, seed);
}

#endif
