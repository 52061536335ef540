/** Answers to what this rank asked of another: it asks one thing at a time and waits for it. */
#ifndef LEADLINE_TRACE_ANSWERS_H
#define LEADLINE_TRACE_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>

#include "backends/trace/piece.h"

/** The answer that is waited for. */
struct answer {
    bool came;
    uint64_t value;
    char *to; /* where its payload goes */
};

extern struct answer answer;

/** Gets ready for an answer whose payload goes to `to`. */
void answers_expect(void *to);

/** Takes in a piece of the answer. */
void answers_take(const struct piece *piece, const char *payload);

/** Answers rank `peer`: with a value, and `bytes` bytes at `from`. */
void answers_give(int peer, uint64_t value, const void *from, size_t bytes);

#endif
