/**
 * This rank's block of symmetric memory. Other ranks reach it by requests, which are served while
 * this one waits for anything; addresses travel as places in the block.
 */
#ifndef LEADLINE_TRACE_SYMMETRIC_H
#define LEADLINE_TRACE_SYMMETRIC_H

#include <stddef.h>
#include <stdint.h>

#include "backends/trace/wire.h"

/* -- words ------------------------------------------------------------------------------------- */

/* Who set which of the block, and how deep the flags and atomics were. */

/** A word that flags or atomics have changed since it was last put to. */
struct word {
    uint64_t at;
    int source; /* the rank that changed it last */
    int64_t depth;
};

/** The word at `at`; NULL: neither flag nor atomic has changed it. */
struct word *words_find(uint64_t at);

/* -- the block --------------------------------------------------------------------------------- */

/** The block, of at least `bytes` bytes; NULL: there is no memory for it. */
void *symmetric_block(size_t bytes);

/** Where `address` lies in the block. */
uint64_t symmetric_place(const void *address);

/**
 * Does what a piece of a request asks for; returns what was in the word that it changes. Requests
 * of this rank itself come here straight.
 */
uint64_t symmetric_obey(const struct piece *request, const char *payload);

/** Does what another rank asks for, and answers it. */
void symmetric_serve(const struct piece *request, const char *payload);

#endif
