/**
 * What has come to a rank, and what becomes of it: a message is matched with its receive, an answer
 * with what was asked, a request is served in the rank's memory, while the rank waits.
 */
#ifndef LEADLINE_TRACE_ARRIVALS_H
#define LEADLINE_TRACE_ARRIVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/queue/queue.h"
#include "backends/trace/wire.h"

/* -- answers ----------------------------------------------------------------------------------- */

/* To what this rank asked of another: it asks one thing at a time and waits for it. */

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

/* -- messages and receives --------------------------------------------------------------------- */

/* Matched by the receiver alone. */

/** A receive, or a message in memory that nobody has asked for yet. */
struct arrival {
    struct entry entry; /* among the receives without a message, or the other way round */
    char *at;           /* where its next byte goes */
    size_t bytes;       /* of the message; of a receive, room for it until it has begun */
    size_t left;        /* bytes that have yet to come */
    int64_t depth;      /* of the message */
    int source;
    bool synchronous; /* its sender waits for the receive */
    bool complete;
};

/** Makes room for what arrives from as many ranks as there are. */
void arrivals_open(void);

/**
 * Asks for a message of up to `bytes` bytes of rank `source`, or of ANY_SOURCE, into `to`.
 * `receive` stays in its place until complete.
 */
void arrivals_ask(struct arrival *receive, void *to, size_t bytes, int source, int tag);

/** Takes in a piece of a message. */
void arrivals_take(const struct piece *piece, const char *payload);

/* -- symmetric memory -------------------------------------------------------------------------- */

/*
 * This rank's block of symmetric memory. Other ranks reach it by requests, which are served while
 * this one waits for anything; addresses travel as places in the block.
 */

/* Words: who set which of the block, and how deep the flags and atomics were. */

/** A word that flags or atomics have changed since it was last put to. */
struct word {
    uint64_t at;
    int source; /* the rank that changed it last */
    int64_t depth;
};

/** The word at `at`; NULL: neither flag nor atomic has changed it. */
struct word *words_find(uint64_t at);

/* The block. */

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

/* -- progress ---------------------------------------------------------------------------------- */

/* A rank that waits: it serves the others meanwhile, and sleeps while there is nothing to do. */

/** Moves on all that can be without waiting. */
void progress(void);

/** The same; where nothing had come, sleeps until something does or a full pipe has room. */
void progress_or_sleep(void);

/** Returns when all that is to leave this rank, answers too, is out. */
void progress_until_sent(void);

/** Returns when *done is set, and all is out. */
void progress_until(const bool *done);

#endif
