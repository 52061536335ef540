/**
 * The job, and pieces of messages through named pipes, from the outbox of one rank to the inbox of
 * another, whatever they are for.
 */
#ifndef LEADLINE_TRACE_WIRE_H
#define LEADLINE_TRACE_WIRE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- the job ----------------------------------------------------------------------------------- */

/* This rank's place in the job, and how the backend fails. */

/** The job as this process sees it. */
struct job {
    int rank, ranks;
};

extern struct job job;

/** Reads this rank's place from the environment; ends the rank where it makes no sense. */
void job_join(void);

/** The environment variable `name`; ends the rank where it is missing. */
const char *job_told(const char *name);

/** Prints what failed and ends this rank; the front-end ends the others. */
_Noreturn void job_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* -- pieces ------------------------------------------------------------------------------------ */

/* What travels through a pipe: pieces so short that the kernel writes each whole or not at all. */

enum kind {
    MESSAGE,
    SYNCHRONOUS, /* a message whose receive is to be answered */
    PUT,
    FLAG, /* a put whose last piece sets a word */
    GET,
    FETCH_ADD,
    COMPARE_SWAP,
    ANSWER, /* to any of those that wait for one */
};

/** What goes before the payload of each piece. A sender ends a message before the next begins. */
struct piece {
    int32_t source;
    int32_t kind;
    int32_t tag;
    uint64_t bytes;    /* of payload in this piece */
    uint64_t left;     /* bytes of the message that come in further pieces */
    int64_t depth;     /* of the message */
    uint64_t at;       /* in the target's block: where the payload goes, or the word lies */
    uint64_t word;     /* of FLAG: where it lies */
    uint64_t value;    /* of the word; of GET, bytes; of ANSWER, what was in the word */
    uint64_t expected; /* of COMPARE_SWAP */
};

enum { PAYLOAD_BYTES = PIPE_BUF - sizeof(struct piece) };

/* -- pipes ------------------------------------------------------------------------------------- */

/*
 * A named pipe for each rank, which it alone reads and all others write: "$LEADLINE_INBOX.<rank>".
 *
 * Whoever comes first makes it. All open it to read and to write, so that no order of opening
 * matters and no rank that is late, or gone, is an error here.
 */

/** Opens this rank's own pipe, and lets the process have as many files open as it may. */
void pipes_open(void);

/** The descriptor of `rank`'s pipe, which doesn't block; opened when it is first asked for. */
int pipe_of(int rank);

/** Closes all pipes and removes this rank's own. */
void pipes_close(void);

/* -- outbox: what is to leave ------------------------------------------------------------------ */

/* One message after the other, in the order in which it was added. */

/**
 * Adds a message of `bytes` bytes at `from` to rank `peer`; `head` says what it is. `from` belongs
 * to the outbox until the message is out; then *sent is set, unless `sent` is NULL.
 */
void outbox_add(int peer, struct piece head, const void *from, size_t bytes, bool *sent);

/** Writes as much as the pipes have room for. */
void outbox_move(void);

/** The pipe that has no room for what is next; -1: everything is out. After outbox_move. */
int outbox_waits_for(void);

/* -- inbox: what has come ---------------------------------------------------------------------- */

/** Reads what has come, a pipeful at most; false: nothing had. After all pieces were taken. */
bool inbox_read(void);

/** Takes the next piece that was read; false: there is none. Its payload lasts until inbox_read. */
bool inbox_next(struct piece *piece, const char **payload);

#endif
