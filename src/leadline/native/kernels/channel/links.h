/**
 * What the network interfaces of this process's host carried: the counters of its network
 * namespace, loopback left out.
 */
#ifndef LEADLINE_LINKS_H
#define LEADLINE_LINKS_H

#include <stddef.h>
#include <stdint.h>

/** One reading of all counters; starts as {0}, and its memory serves the next reading. */
struct links {
    char *text; /* as the system has it: parsed only when it is said */
    size_t length, room;
    int64_t at_ns;
};

/** Reads the counters now; leaves them empty where they can't be read. */
void links_read(struct links *now);

/**
 * " links_ns=NS links=eth0/tx:BYTES:MBITS,eth0/rx:BYTES:MBITS": the time between two readings,
 * what every interface carried in it, and its own speed in Mbit/s (-1: it doesn't say). Empty where
 * one of the readings is. The caller frees it.
 */
char *links_words(const struct links *before, const struct links *after);

#endif
