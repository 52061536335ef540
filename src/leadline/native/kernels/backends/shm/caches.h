/** What the caches of two cores are told of lines that one writes and the other reads. */
#ifndef LEADLINE_SHM_CACHES_H
#define LEADLINE_SHM_CACHES_H

#include <stddef.h>
#include <string.h>

#include "backends/shm/segment.h"

enum { PAGE = 4096, PAGES_AT_ONCE = 4 };

/* Offers the lines just written to the cache that all cores share, so that the receiver needn't
   snoop ours: a quarter off 512 B to 4 KiB, but a loss for the parts of larger messages (CLDEMOTE;
   older processors take it for a no-op). */
static inline void offer(const char *lines, size_t bytes)
{
#ifdef __x86_64__
    for (size_t done = 0; done < bytes; done += LINE)
        __asm__ volatile(".byte 0x0f, 0x1c, 0x07" : : "D"(lines + done) : "memory");
#else
    (void)lines, (void)bytes;
#endif
}

/* Fetches lines for writing that the next message will fill, while this one travels: the receiver
   has read them in the last turn of the ring and must give them up. A third off 1 KiB to 16 KiB.
   (The compiler's prefetch for writing is one for reading unless the processor is named.) */
static inline void claim(const char *lines, size_t bytes)
{
    for (size_t done = 0; done < bytes; done += LINE)
#ifdef __x86_64__
        __asm__ volatile("prefetchw %0" : : "m"(lines[done]));
#else
        __builtin_prefetch(lines + done, 1, 3);
#endif
}

/* Copies four pages side by side, a line of each in turn: the processor fetches ahead within each
   page, and one page at a time doesn't keep it busy. 12 to 20 % off 128 KiB to 1 MiB. */
static inline void copy_part(char *to, const char *from, size_t bytes)
{
    const size_t group = (size_t)PAGES_AT_ONCE * PAGE;
    size_t done = 0;
    for (; done + group <= bytes; done += group)
        for (size_t line = done; line < done + PAGE; line += LINE)
            for (size_t at = line; at < line + group; at += PAGE)
                memcpy(to + at, from + at, LINE);
    memcpy(to + done, from + done, bytes - done);
}

#endif
