/** The file to which permutations are appended. */
#ifndef LEADLINE_PRELOAD_PERMUTATIONS_H
#define LEADLINE_PRELOAD_PERMUTATIONS_H

#include "core/places.h"

/**
 * Appends to `path` who takes which of `ranks` ranks, as CSV: "communicator,rank,old_rank,host",
 * with this header where the file is new; communicators count from 1, whichever process made them.
 * `permutation` has the old rank of each. Warns where it can't be written.
 */
void permutations_append(const char *path, const struct place *places, const int64_t *permutation,
                         int ranks);

#endif
