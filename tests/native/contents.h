/** What the messages of all programs that check a backend hold. */
#ifndef LEADLINE_TESTS_CONTENTS_H
#define LEADLINE_TESTS_CONTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { PERIOD = 1 << 15 };

/** The byte at `offset` of a message; another `seed`, another message. It is
    that at `offset` % PERIOD: of the product only bits 7 to 14 count. */
static inline unsigned char byte_of(size_t offset, int seed)
{
    return (unsigned char)((offset * 2654435761u >> 7) + (size_t)seed * 37u);
}

static inline size_t up_to_a_period(size_t bytes)
{
    return bytes < PERIOD ? bytes : PERIOD;
}

/** Byte by byte only for one period: sanitised and emulated loops are slow. */
static inline void fill(unsigned char *message, size_t bytes, int seed)
{
    for (size_t i = 0; i < up_to_a_period(bytes); i++)
        message[i] = byte_of(i, seed);
    for (size_t done = PERIOD; done < bytes; done += PERIOD)
        memcpy(message + done, message, up_to_a_period(bytes - done));
}

/** Whether `message` is as fill() makes it. */
static inline bool is_filled(const unsigned char *message, size_t bytes, int seed)
{
    unsigned char right[PERIOD];
    fill(right, up_to_a_period(bytes), seed);
    for (size_t done = 0; done < bytes; done += PERIOD)
        if (memcmp(message + done, right, up_to_a_period(bytes - done)) != 0)
            return false;
    return true;
}

#endif
