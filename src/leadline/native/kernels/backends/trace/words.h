/** Who set which word of this rank's block, and how deep the flags and atomics were. */
#ifndef LEADLINE_TRACE_WORDS_H
#define LEADLINE_TRACE_WORDS_H

#include <stddef.h>
#include <stdint.h>

/** A word that flags or atomics have changed since it was last put to. */
struct word {
    uint64_t at;
    int source; /* the rank that changed it last */
    int64_t depth;
};

/** A flag, or an atomic, of `source` at `depth` has changed the word at `at`. */
void words_changed(uint64_t at, int source, int64_t depth);

/** A put has written over `bytes` bytes from `at` on. */
void words_forget(uint64_t at, size_t bytes);

/** The word at `at`; NULL: neither flag nor atomic has changed it. */
struct word *words_find(uint64_t at);

#endif
