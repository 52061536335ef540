/**
 * What a pattern is: one timed loop, and how to tell that it moved the right bytes.
 *
 * A pattern file includes this header alone, or echo.h or schedule.h on top of it. It defines a
 * `const struct pattern` and its loop; one line in table.c adds it to the table. The loop holds the
 * operation and nothing else: what varies from one repetition to the next comes out of the rings,
 * prepared before.
 */
#ifndef LEADLINE_PATTERN_H
#define LEADLINE_PATTERN_H

#include <math.h>
#include <stdint.h>

#include "channel/clock.h"
#include "patterns/options.h"
#include "patterns/payload.h"
#include "transport/transport.h"

/* -- overlap ----------------------------------------------------------------------------------- */

/*
 * Computation beside a non-blocking operation: a chain of multiplications in a register, which
 * touches no memory and can't be shortened. Its amount is fixed, not its time: what the library
 * takes of the processor meanwhile lengthens it, and shows.
 */

enum { OVERLAP_SLOT = 0 };

/** How much is computed in each repetition: nothing where `parts` is 0. */
struct work {
    long iterations; /* of each part */
    int parts;       /* between two of them the operation is tested once */
};

static inline void compute(long iterations)
{
    uint64_t chain = 1;
    for (long i = 0; i < iterations; i++) {
        chain = chain * 0x5851F42D4C957F2Du + 1;
        __asm__ volatile("" : "+r"(chain));
    }
}

/** Computes between the start of the operation in OVERLAP_SLOT and the wait for it. */
static inline void overlap(struct work work)
{
    for (int part = 0; part < work.parts; part++) {
        if (part > 0)
            tp_test(OVERLAP_SLOT);
        compute(work.iterations);
    }
}

/* -- patterns ---------------------------------------------------------------------------------- */

/** What a timed loop is made of: no call but into the transport. */
#define INLINED static inline __attribute__((always_inline))

/** Message addresses for successive repetitions: slot i is `slots[i & mask]`. */
struct ring {
    char **slots;
    size_t mask;      /* number of slots - 1; the number is a power of two */
    const char *base; /* slots lie at whole cache lines from here */
};

static inline char *ring_at(const struct ring *ring, long repetition)
{
    return ring->slots[(size_t)repetition & ring->mask];
}

/** Roots of successive repetitions: that of repetition i is `ranks[i & mask]`. */
struct roots {
    const int *ranks;
    size_t mask; /* 0 where the root is fixed; else the number of turns - 1, a power of two - 1 */
};

/** What skewed counts give the last rank, in mean shares, at most. */
enum { LARGEST_SHARE = 2 };

/** How a vector operation's bytes are divided into a block for each rank. */
struct shares {
    size_t largest;             /* bytes of the longest block; size_bytes where there are none */
    const size_t *bytes;        /* [rank] */
    const size_t *offsets;      /* [rank] where the block begins; all lie side by side */
    struct tp_layout *blocks;   /* the same for the library, in elements where it reduces */
    struct tp_layout *received; /* one block from each rank, all as long as this rank's */
};

/** Which rank each vertex of a grid lies on: permutations, each the other's inverse. */
struct placement {
    const int *rank_at;   /* [vertex] NULL: the rank of the same number */
    const int *vertex_of; /* [rank] NULL as well */
};

/** What a rank's timed repetitions spent on communication. */
struct spent {
    int64_t communication_ns;
};

/** What is being measured: the same on every rank but for `rank`. */
struct cell {
    size_t size_bytes;
    int rank;
    int ranks;                  /* of the job */
    int chosen[OPTIONS];        /* index of the word of each option */
    int64_t numbers[OPTIONS];   /* value of each that is a number, or a time in ns */
    struct dims dims;           /* of patterns with a grid: as many vertices as ranks */
    struct placement placement; /* of the same */
    struct ring out;            /* messages leave from here */
    struct ring in; /* and arrive here; the same memory as `out` under the echo policy */
    struct roots roots;
    struct shares shares;         /* of patterns that take OPTION_COUNTS */
    struct work work;             /* of patterns that take OPTION_OVERLAP */
    enum tp_form form;            /* how a message lies in memory */
    size_t span_bytes;            /* what it spans there, gaps included */
    struct tp_datatype *datatype; /* of a message with gaps */
    char *packed;                 /* room for it without them */
    uint64_t *words;              /* of symmetric patterns: see word_at */
    struct spent *spent;          /* by this rank, on communication: see spent_begin */
    bool traced;                  /* the calls of its repetitions are written down */
};

/** Communication begins: what the clock shows, for spent_end. */
static inline int64_t spent_begin(void)
{
    return clock_now_ns();
}

/** Communication that began at `begin_ns` is over: a phase of it takes two readings of the clock.
 */
static inline void spent_end(const struct cell *cell, int64_t begin_ns)
{
    cell->spent->communication_ns += clock_now_ns() - begin_ns;
}

/** Writes down, where calls are, what this rank computed between two of them. */
static inline void worked(const struct cell *cell, size_t flop, size_t bytes)
{
    if (cell->traced)
        tp_trace_work(flop, bytes);
}

static inline int root_at(const struct cell *cell, long repetition)
{
    return cell->roots.ranks[(size_t)repetition & cell->roots.mask];
}

/** The rank that `vertex` of the grid lies on. */
static inline int rank_at(const struct cell *cell, int vertex)
{
    return cell->placement.rank_at ? cell->placement.rank_at[vertex] : vertex;
}

/** The vertex of the grid that lies on this rank. */
static inline int vertex_of(const struct cell *cell)
{
    return cell->placement.vertex_of ? cell->placement.vertex_of[cell->rank] : cell->rank;
}

/** Where the contents of `repetition`'s message begin: no other place or repetition has the same.
 */
static inline size_t contents_of(const struct cell *cell, long repetition)
{
    const size_t offset = (size_t)(ring_at(&cell->out, repetition) - cell->out.base);
    return offset + (size_t)repetition * payload_apart;
}

/** Where the elements of `repetition`'s reduction begin: side by side in place from repetition to
    repetition, wherever their buffers lie, so that who has the largest isn't the same in both. */
static inline size_t elements_of(long repetition)
{
    return (size_t)repetition * payload_apart;
}

/** Whose blocks a rank receives of all: each pair, in each direction, has contents of its own. */
static inline struct owners received_by(const struct cell *cell)
{
    return (struct owners){cell->rank, cell->ranks, cell->ranks};
}

/** Threads of a rank that send, at most. */
enum { MOST_THREADS = 2 };

/** Where a thread's message of `bytes` bytes begins: no cache line has parts of two of them. */
static inline size_t thread_at(size_t bytes, int thread)
{
    return (size_t)thread * (bytes / TP_LINE_BYTES + 1) * TP_LINE_BYTES;
}

/** What a non-blocking operation takes. */
enum { OVERLAP_AND_WORK = 1u << OPTION_OVERLAP | 1u << OPTION_WORK };

/** Whether repetitions compute and nothing else. */
static inline bool only_computes(const struct cell *cell)
{
    return cell->chosen[OPTION_OVERLAP] == OVERLAP_COMPUTING;
}

/** Runs repetitions that compute and nothing else; returns whether the cell's do. */
static inline bool computed(const struct cell *cell, long first, long last)
{
    for (long i = first; only_computes(cell) && i < last; i++)
        overlap(cell->work);
    return only_computes(cell);
}

/** What a reduction takes. */
enum { OPERATOR_AND_TYPE = 1u << OPTION_OP | 1u << OPTION_TYPE };

static inline enum tp_op op_of(const struct cell *cell)
{
    return (enum tp_op)cell->chosen[OPTION_OP];
}

/** Logical and is one of integers, whatever was chosen. */
static inline enum tp_type type_of(const struct cell *cell)
{
    return op_of(cell) == TP_LAND ? TP_INT64 : (enum tp_type)cell->chosen[OPTION_TYPE];
}

static inline struct reduction reduction_of(const struct cell *cell)
{
    return (struct reduction){type_of(cell), op_of(cell), cell->ranks};
}

enum { WORDS_PER_LINE = TP_LINE_BYTES / 8, SPARE_WORDS = 64 };

/** Symmetric word `i` of ranks + SPARE_WORDS, on a line of its own; 0 after each `fill`. */
static inline uint64_t *word_at(const struct cell *cell, int i)
{
    return cell->words + (ptrdiff_t)i * WORDS_PER_LINE;
}

enum cadence { CADENCE_STREAMING, CADENCE_ISOLATED };
enum whose_time { WHOSE_ROOT, WHOSE_SLOWEST };

/** Whether a repetition is a window of messages under way together: the job's, or each pair's. */
enum windows { WINDOWS_NONE, WINDOWS_ONE, WINDOWS_PER_PAIR };

/** What the memory of a message has room for: blocks of size_bytes, or of the largest share. */
enum room {
    ROOM_FOR_ONE,
    ROOM_PER_RANK,
    ROOM_PER_NEIGHBOUR,
    ROOM_PER_THREAD,
    ROOM_PER_DIRECTION, /* that a pattern with a grid sends in: see directions_of */
};

/** Along which axes of its grid a pattern sends, unless AXES_ALL was chosen. */
enum reach { REACH_NONE, REACH_FIRST_AXIS, REACH_ALL_AXES };

/** What one rank computes in a repetition, beside what its calls do. */
struct computation {
    size_t flop;
    size_t bytes; /* that it reads and writes */
};

struct pattern {
    const char *name;
    const char *summary;
    const char *algorithm;       /* tp_X_algorithm of the operation measured; "absent": can't run */
    int participants;            /* ranks 0 .. participants - 1 take part; 0: all of them */
    bool in_pairs;               /* an even number of them */
    int messages_per_repetition; /* what a repetition's time is divided by: 2 for a round trip */
    int messages_in_flight;      /* slots that the rings have at least, a power of two; 0: one */
    enum windows windows;        /* of messages, that a repetition is; rates count them */
    bool one_buffer;             /* the rings have one slot: no cold buffers */
    size_t granularity;          /* sizes are multiples of this; 0: the pattern has no size */
    size_t least_bytes;          /* the smallest size that means something */
    bool keeps_input;            /* `in` never shares memory with `out` */
    unsigned options;            /* that it takes: bits 1u << OPTION_X */
    enum room out_room, in_room;
    int axes; /* of the grid of all ranks, where its lengths aren't given; 0: no grid */
    enum reach reach;
    int threads; /* of each rank, under MPI_THREAD_MULTIPLE; 0: the library needn't know of any */
    enum tp_form form; /* how a message lies in memory; `granularity` is an element's payload */
    bool symmetric;    /* both rings lie in symmetric memory, and there are words */
    enum whose_time whose_time;
    enum cadence cadence;                  /* the one used unless the user asks for the other */
    const struct application *application; /* what makes it one; NULL: it moves messages alone */

    /** What the slice needs besides buffers, made before its first repetition; NULL: nothing. */
    void (*begin)(const struct cell *cell);

    /** Undoes that after the slice's last repetition. */
    void (*end)(const struct cell *cell);

    /** Whether the cell is about all ranks' operations at the same time; NULL: it isn't. */
    bool (*contends)(const struct cell *cell);

    /** What a repetition computes on this rank, for a log of its calls; NULL: nothing. */
    struct computation (*computation)(const struct cell *cell);

    /** Runs repetitions first .. last - 1. Timed. */
    void (*run)(const struct cell *cell, long first, long last);

    /** What the second of two threads runs at the same time; else NULL. Timed. */
    void (*second)(const struct cell *cell, long first, long last);

    /** Puts known bytes where `repetition` sends from, other bytes where it receives. */
    void (*fill)(const struct cell *cell, long repetition);

    /** True if `repetition` left the right bytes on this rank; else sets *mismatch. */
    bool (*check)(const struct cell *cell, long repetition, struct mismatch *mismatch);

    /** Where run, fill and check can't tell, after `fill`: `repetition` in a way of its own, with
        checks inside; or NULL. */
    bool (*validate)(const struct pattern *self, const struct cell *cell, long repetition,
                     struct mismatch *mismatch);
};

/** What a pattern computes beside a non-blocking operation: multiplications and additions. */
static inline struct computation computation_beside(const struct cell *cell)
{
    return (struct computation){.flop =
                                    2 * (size_t)cell->work.iterations * (size_t)cell->work.parts};
}

/** How many axes of its grid the messages of `pattern` go along, from the first on. */
static inline int axes_along(const struct pattern *pattern, const struct cell *cell)
{
    const bool all = pattern->reach == REACH_ALL_AXES || cell->chosen[OPTION_AXES] == AXES_ALL;
    return all ? cell->dims.axes : 1;
}

/** In how many directions a rank of such a pattern sends, at most. */
static inline int directions_of(const struct pattern *pattern, const struct cell *cell)
{
    int boxes = 1;
    for (int axis = 0; axis < cell->dims.axes; axis++)
        boxes *= 3;
    const bool corners = cell->chosen[OPTION_NEIGHBOURS] == NEIGHBOURS_CORNERS;
    return corners ? boxes - 1 : 2 * axes_along(pattern, cell);
}

/* -- applications ------------------------------------------------------------------------------ */

/*
 * What makes a pattern an application: it solves a problem, over and over, each time in as many
 * repetitions as the problem's class has, with arithmetic between its calls and memory of its own.
 *
 * A slice times whole solutions, in batches of one repetition, in the streaming cadence. Its way:
 *
 *   prepare    once: memory, tables;
 *   restart    before the first repetition of each solution, all ranks together;
 *   run        its repetitions, numbered from a multiple of their number on;
 *   check      after the last one of each solution: whether the result is right;
 *   end        once.
 *
 * Of these `run` alone is timed. All ranks have restarted before any begins, so that what others
 * write into its memory comes after; `fill` has no place here. Solutions that warm a launch up may
 * end early, without a check.
 */

/** One class of problem, however many ranks solve it. */
struct problem {
    int repetitions; /* that solve it */
    int most_ranks;  /* that can share it */
    size_t flop;     /* of a repetition, on all ranks together */
    size_t bytes;    /* of memory that they take for it together, about */
};

struct application {
    enum option_key option;         /* whose words are the classes */
    const struct problem *problems; /* [word] */
    bool powers_of_two;             /* as many ranks as a power of two */

    /** How many bytes of cell->out, and of cell->in, it needs, in symmetric memory where the
        pattern's is, the same on all ranks; NULL: none. Their contents are undefined. */
    size_t (*buffer_bytes)(const struct cell *cell);

    /** Makes what a slice needs besides, every page of it touched. What stands against it, in
       words, for which the slice ends on all ranks; so it sends nothing. NULL: nothing does. The
       pattern's `end` undoes it, whatever it returned. */
    const char *(*prepare)(const struct cell *cell);

    /** Sets the problem anew; collective. */
    void (*restart)(const struct cell *cell);
};

/** The problem that a cell of an application is about. */
static inline const struct problem *problem_of(const struct pattern *pattern,
                                               const struct cell *cell)
{
    const struct application *application = pattern->application;
    return &application->problems[cell->chosen[application->option]];
}

/** How far a quantity is from what is expected, relative; 0 where none is set. */
static inline double relative_error(const struct mismatch *mismatch)
{
    const double expected = mismatch->expected_real, apart = mismatch->seen_real - expected;
    return mismatch->quantity && apart != 0 ? fabs(apart / expected) : 0;
}

/** Whether a quantity of the result, one word, is `expected` but for `tolerance`, relative. Where
   it isn't, as where it is no number, *mismatch says so; else of all quantities the one that is
   furthest from what is expected, or the first. */
static inline bool quantity_is(const char *quantity, double expected, double seen, double tolerance,
                               struct mismatch *mismatch)
{
    const struct mismatch found = {
        .quantity = quantity, .real = true, .expected_real = expected, .seen_real = seen};
    const bool right = relative_error(&found) <= tolerance;
    if (!right || !mismatch->quantity || relative_error(&found) > relative_error(mismatch))
        *mismatch = found;
    return right;
}

/** The same of a whole number, exactly. */
static inline bool count_is(const char *quantity, uint64_t expected, uint64_t seen,
                            struct mismatch *mismatch)
{
    if (seen == expected)
        return true;
    *mismatch = (struct mismatch){.quantity = quantity, .expected = expected, .seen = seen};
    return false;
}

#endif
