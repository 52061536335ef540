/** What complete.c has inside, where faults strike. */
#ifndef LEADLINE_COMPLETE_H
#define LEADLINE_COMPLETE_H

#include "mutants.h"

/** A packed message: the one to be sent, and the one received last. */
struct packed {
    char at[MOST_PIECE_BYTES];
    size_t bytes;
};
extern struct packed packed_out, packed_in;

/** Bytes from the first of a message of `type` in memory to its last. */
size_t datatype_bytes(const struct tp_datatype *type);

#endif
