/**
 * Single copy: the receiver reads a large message straight out of the sender's memory, through
 * the kernel (process_vm_readv).
 *
 * It saves one of two copies and costs a system call and the pinning of pages. What decides is
 * whose cache holds the bytes: where a buffer is sent again unchanged they are still in the
 * receiver's and a single copy is up to twice as fast; where they are fresh, or were just received
 * by the sender, the double copy is, because both ends work at once.
 */
#ifndef LEADLINE_SHM_SINGLE_COPY_H
#define LEADLINE_SHM_SINGLE_COPY_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Finds out whether ranks may read each other's memory, and for which messages it pays: as the
 * variable LEADLINE_SINGLE_COPY says, in the words of single_copy_names; else by ranks 0 and 1
 * timing both ways, until further tries bring nothing better. All ranks go by that. Ranks that
 * outnumber the cores can't time it, and copy twice. Collective; timing takes 50 to 200 ms.
 */
void single_copy_choose(void);

/** Whether a single copy pays for a message of `bytes` from a buffer `resent` or not. */
bool single_copy_pays(size_t bytes, bool resent);

/** Copies `bytes` at `source` in the memory of `peer` to `to`. */
void single_copy_read(int peer, void *to, const void *source, size_t bytes);

/** For which messages it was found to pay, e.g. "1m,64k-resent", or "none"; static storage. */
const char *single_copy_names(void);

#endif
