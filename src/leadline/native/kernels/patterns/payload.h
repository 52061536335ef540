/** Message contents that tell who sent them and from where, so that a wrong byte can be named. */
#ifndef LEADLINE_PAYLOAD_H
#define LEADLINE_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "transport/collective.h"
#include "transport/two_sided.h"

/** How far apart the contents of successive repetitions begin. */
extern const size_t payload_apart;

/** The first wrong byte of a message, or (size 8) the first wrong element of a reduction; or, where
    it has a name, a quantity of a result. */
struct mismatch {
    size_t offset_bytes;
    uint64_t expected;
    uint64_t seen;
    const char *quantity; /* one word, where it is of a result; NULL: what follows isn't set */
    bool real;            /* whether the next two are, else the two above */
    double expected_real, seen_real;
};

/** Fills `bytes` bytes at `to` with what rank `owner` sends from `offset` (a multiple of 8). */
void payload_fill(char *to, size_t bytes, int owner, size_t offset);

/** Overwrites `bytes` bytes at `to` with bytes that differ from any owner's payload_fill there. */
void payload_clear(char *to, size_t bytes, int owner, size_t offset);

/** True if `at` holds what payload_fill(at, bytes, owner, offset) wrote; else sets *mismatch. */
bool payload_check(const char *at, size_t bytes, int owner, size_t offset,
                   struct mismatch *mismatch);

/** Whose contents successive blocks have: owners first, first + step, ... */
struct owners {
    int first;
    int step;
    int blocks;
};

/** payload_fill, payload_clear and payload_check of blocks of `bytes` bytes each, side by side. */
void payload_fill_blocks(char *to, size_t bytes, struct owners owners, size_t offset);
void payload_clear_blocks(char *to, size_t bytes, struct owners owners, size_t offset);
bool payload_check_blocks(const char *at, size_t bytes, struct owners owners, size_t offset,
                          struct mismatch *mismatch);

/** Bytes that `bytes` bytes of payload span in memory in `form`, the last gap included. */
size_t payload_span(enum tp_form form, size_t bytes);

/**
 * payload_fill and payload_check of a message of `form` that spans `span` bytes in memory: filling
 * leaves the gaps alone, checking wants them as payload_clear left them.
 */
void payload_fill_form(char *to, size_t span, enum tp_form form, int owner, size_t offset);
bool payload_check_form(const char *at, size_t span, enum tp_form form, int owner, size_t offset,
                        struct mismatch *mismatch);

/** How the elements of a job's ranks are combined. */
struct reduction {
    enum tp_type type;
    enum tp_op op;
    int ranks; /* of the job, though fewer may contribute */
};

/**
 * Fills `count` elements with what `rank` contributes: small whole numbers, different on each rank,
 * or truths of which it denies some. Who of any first ranks has the largest at a place hasn't at
 * the next, and who has it at a place in an even repetition hasn't there in the next.
 */
void payload_fill_elements(char *to, size_t count, struct reduction reduction, int rank,
                           size_t offset);

/** True if `at` holds what ranks 0 .. ranks - 1 contribute, combined; else sets *mismatch. */
bool payload_check_elements(const char *at, size_t count, struct reduction reduction, int ranks,
                            size_t offset, struct mismatch *mismatch);

#endif
