/** How bytes get into the message being built, and out of the one received last. */
#ifndef LEADLINE_PVM_PACKING_H
#define LEADLINE_PVM_PACKING_H

#include <stddef.h>

/** Packs `bytes` bytes at `from` into the active send buffer. */
void pack(const void *from, size_t bytes);

/** Unpacks `bytes` bytes from the active receive buffer into `to`. */
void unpack(void *to, size_t bytes);

#endif
