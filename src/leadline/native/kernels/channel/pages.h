/** Memory that this rank shares with other processes of its machine, as a small file. */
#ifndef LEADLINE_PAGES_H
#define LEADLINE_PAGES_H

#include <stddef.h>

/**
 * Maps the first `bytes` bytes of the file "<prefix>.<number>", the prefix being what the
 * environment's `variable` says; made, with zeros, where there is none. NULL without the variable,
 * or where the file can't be had. Never unmapped.
 */
void *page_map(const char *variable, int number, size_t bytes);

/** Maps `bytes` zero bytes that no file has; whoever may look at this process reads them from the
    entry of /proc/<pid>/fd that shows the name, which stays open. NULL: there is no such memory. */
void *page_in_memory(const char *name, size_t bytes);

#endif
