/** The job: who takes part, what it is made of, and the memory that messages live in. */
#ifndef LEADLINE_TRANSPORT_JOB_H
#define LEADLINE_TRANSPORT_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/** Short name of the backend: "null", "mpi", "shm". Valid before tp_init. */
extern const char tp_backend[];

/** Whether messages move bytes. False only for null: then nothing can be validated. */
extern const bool tp_carries_payload;

/** Largest message of a single call, in bytes (INT_MAX where the library counts in int). */
extern const size_t tp_max_message_bytes;

/**
 * Name and version of the library as it reports them itself at run time, on one line.
 * Valid after tp_init; static storage. For backends without a library: what they are.
 */
const char *tp_library(void);

/** Joins the job; blocks until all ranks have. Called once, first. */
void tp_init(int *argc, char ***argv);

/** Leaves the job; collective. Nothing of the transport may be called afterwards. */
void tp_finalize(void);

/** This process's rank, 0 .. tp_size() - 1. */
int tp_rank(void);

/** Number of ranks in the job, at least 1. */
int tp_size(void);

/** What two processors' caches exchange at once: nobody waits for what lies on another line. */
enum {
#if defined __s390x__
    TP_LINE_BYTES = 256,
#elif defined __powerpc64__
    TP_LINE_BYTES = 128,
#else
    TP_LINE_BYTES = 64,
#endif
};

/** A page of this machine: 4 KiB, or 64 (ARM, POWER). */
static inline size_t tp_page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/** `bytes` rounded up to whole pages. */
static inline size_t tp_whole_pages(size_t bytes)
{
    const size_t page = tp_page_bytes();
    return (bytes + page - 1) / page * page;
}

/**
 * Memory for messages: `bytes` bytes (at least 1), aligned to a page, contents undefined.
 * Collective with equal arguments on all ranks (symmetric memory needs that). Returns NULL when
 * the memory can't be had. Fallback: the C library's allocator.
 */
void *tp_allocate(size_t bytes);
extern const char tp_allocate_algorithm[];

/** Gives back what tp_allocate returned; collective. NULL is allowed. */
void tp_release(void *memory);

/**
 * Called by each of ranks 0 .. participants - 1 before it waits outside of the library, when it has
 * nothing more to ask of the others: returns once none of them asks anything of it. Fallback: at
 * once, for a library in which no call waits for what another rank calls besides its own part.
 */
void tp_rest(int participants);

/* -- threads ----------------------------------------------------------------------------------- */

/* Ranks with several threads that call the transport at the same time. */

/**
 * Whether any thread of this rank may call tp_send and tp_recv at any time. Valid after tp_init,
 * which asks the library for it (MPI_THREAD_MULTIPLE) where LEADLINE_THREADS is set and not
 * otherwise: it costs every call something.
 */
bool tp_threads_granted(void);
extern const char tp_threads_algorithm[];

#endif
