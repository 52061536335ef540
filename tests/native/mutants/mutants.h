/**
 * Faults planted in a transport that is right, one at a time, for the mutation test.
 *
 * A command of the script says which: "mutant=FAULT:OP:RANK:WHEN:EVERY:AT" strikes on RANK, of the
 * pattern's own calls of tp_OP each one of EVERY, that which is AT after the first; WHEN is
 * "always", "later", which is from the first timed batch on, or "timed", in these alone. The tool's
 * own messages, and what an operation does inside, are left alone. $MUTANT is the plan of commands
 * that have none.
 *
 * "$MUTANTS_LOG.<rank>" then says of each command how often what a call left was other than right
 * while contents were known, and how often each operation was called in how many timed repetitions.
 */
#ifndef LEADLINE_MUTANTS_H
#define LEADLINE_MUTANTS_H

#include <stdbool.h>
#include <stddef.h>

#include "transport/transport.h"

enum fault {
    NONE,
    DROP,       /* nothing arrives, or one block of several doesn't; who waits is told it has */
    DUPLICATE,  /* what came before comes once more; done, counted or combined twice */
    SWAP,       /* between two peers, or two messages under way */
    STALE,      /* the previous payload */
    OFFSET,     /* a byte or an element further on than it ought to be */
    SHORT,      /* one byte or element fewer */
    COPY_OWN,   /* in a reduction's place */
    COPY_FIRST, /* that of rank 0 */
    COPY_LAST,  /* that of the last rank */
    LATE,       /* bytes come after who waits for them was told they have; nobody waits for one */
    BEYOND,     /* a byte behind the end */
    LOST,       /* never sent, or this rank takes no part: who waits for it waits for ever */
    FAULTS,
};

enum { MOST_PIECES = 16, MOST_PIECE_BYTES = 1 << 16, NOBODYS = 1 << 15 /* a tag */ };

/** One call of an operation. */
struct call {
    const char *op;
    enum fault fault;  /* planted in this call, the same on all ranks of a collective */
    bool counted;      /* it is the pattern's own, and no part of another */
    bool watched;      /* of the operation that is to be struck */
    bool mine;         /* this is the rank */
    bool in_elements;  /* of 8 bytes: a reduction's */
    bool of_each_rank; /* every rank of a collective has a result of its own */
    int pieces;        /* that it writes here */
    char *piece[MOST_PIECES];
    size_t bytes[MOST_PIECES];
    char *before[MOST_PIECES];         /* what lay there; later what is right */
    const char *contribution;          /* to a reduction, of all ranks' blocks */
    size_t whole, offset;              /* its length, and where this rank's result begins in it */
    double (*combine)(double, double); /* of the reduction */
    enum tp_type type;
};

/** Begins a call; tags of the tool itself make it nobody's. Allocates; call_end frees. */
struct call *call_begin(const char *op, int tag);

/** Says that the call writes `bytes` bytes at `to`; once for each block. */
void call_into(struct call *call, void *to, size_t bytes);

/** What is to be sent instead of `from`; lives for some hundred calls. */
const void *call_from(struct call *call, const void *from, size_t bytes);

/** The operation is through: strikes at what it wrote. */
void call_strike(struct call *call);

/** What it wrote will be there later: see call_complete. */
void call_leave(struct call *call);
void call_complete(struct call *call);

/** call_strike and call_leave, and the end of it. */
void call_end(struct call *call);

/** Counts a strike that shows in no piece; returns whether the fault is `fault`, and here. */
bool call_is(struct call *call, enum fault fault);

/** The rank that the plan is for. */
int struck_rank(void);

/** Forgets one-sided operations that were held back. */
void one_sided_forget(void);

/** Whether two threads of this rank call at the same time. */
extern bool with_threads;

/** How many operations the running thread is inside of: of several the outermost counts. */
extern int call_depth;

/** Whether `slot` is that of a collective, which is complete when it has been started. */
extern bool collective_slot[TP_MOST_REQUESTS];

/** Defines the function that the linker puts before tp_NAME, and lets it call that. */
#define TAKEN(type, name, arguments)                                                               \
    type __real_tp_##name arguments;                                                               \
    type __wrap_tp_##name arguments;                                                               \
    type __wrap_tp_##name arguments

#endif
