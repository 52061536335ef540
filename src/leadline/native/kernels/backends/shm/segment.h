/** The memory that all ranks of the job share, and what lies where in it. */
#ifndef LEADLINE_SHM_SEGMENT_H
#define LEADLINE_SHM_SEGMENT_H

#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "transport/job.h"

enum {
    LINE = TP_LINE_BYTES,
    SLOTS = 8,              /* small messages under way from one rank to another */
    NEAR_BYTES = LINE - 16, /* the largest payload that lies in the flag's own line */
    FAR_BYTES = 4096,       /* the largest that fits a slot */
    PARTS = 8,              /* parts of large messages under way */
    PART_BYTES = 1 << 15,   /* the largest part: a few of them stay in both ends' caches */
    MOST_ROUNDS = 32,       /* of a dissemination barrier: up to 2^32 ranks */
    SIZE_CLASSES = 4,       /* for which double and single copy are compared */
};

/** A counter with a cache line to itself. */
struct line_counter {
    alignas(LINE) _Atomic uint64_t value;
};

/** A small message, or the announcement of a large one. */
struct slot {
    alignas(LINE) _Atomic uint32_t sequence; /* number of the message, written last */
    int32_t tag;
    uint64_t bytes;
    union {
        char near[NEAR_BYTES];
        const void *source; /* where the receiver reads a large message; NULL: it comes in parts */
    };
    char far[FAR_BYTES]; /* on lines of its own */
};

/** Messages from one rank to another: one producer, one consumer. */
struct channel {
    struct slot slots[SLOTS];
    struct line_counter slots_freed; /* by the consumer */
    struct line_counter parts_filled;
    struct line_counter parts_freed;
    struct line_counter sources_read; /* by the consumer */
    alignas(4096) char parts[PARTS][PART_BYTES];
};

/** What every rank has of its own. */
struct rank_lines {
    struct line_counter notified[MOST_ROUNDS]; /* epoch of the dissemination barrier */
    alignas(LINE) pid_t pid;
    const int *number; /* rank + 1, in this rank's own memory, for others to try to read */
};

struct segment {
    struct line_counter attached;
    struct line_counter arrived; /* counter barrier */
    struct line_counter generation;
    struct line_counter futex_arrived;
    alignas(LINE) _Atomic uint32_t futex_generation;
    _Atomic int symmetric_fd; /* rank 0's, of the file with all ranks' symmetric blocks; -1: none */
    alignas(LINE) unsigned char single_copy[2][SIZE_CLASSES]; /* what the calibration found */
};

/** The job as this process sees it. */
struct job {
    int rank, ranks;
    bool crowded;      /* more ranks than cores */
    unsigned patience; /* polls before a waiting rank offers its core to others */
    struct segment *segment;
    struct rank_lines *lines; /* [rank] */
    struct channel *channels; /* [from * ranks + to] */
};

extern struct job job;

/** Attaches to the job's segment, named by LEADLINE_JOB; returns when all ranks have. */
void segment_attach(void);

void segment_detach(void);

/** Prints what failed and ends this rank; the front-end ends the others. */
_Noreturn void shm_fail(const char *what, const char *detail);

/** What a waiting rank does: spins, and lets others run where it takes long. */
static inline void shm_wait(unsigned *polls)
{
    if (++*polls > job.patience)
        sched_yield();
}

#endif
