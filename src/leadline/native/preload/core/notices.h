/**
 * What processes of a job leave for each other with their launcher (MPI's name publishing): nobody
 * waits for anybody. A failure is an answer, and reaches no error handler of the program.
 */
#ifndef LEADLINE_PRELOAD_NOTICES_H
#define LEADLINE_PRELOAD_NOTICES_H

#include <stdbool.h>

enum { NOTICE_NAME_BYTES = 40 };

/* Names are the job's own, without blanks, at most NOTICE_NAME_BYTES - 1 long. */

/**
 * Whether the launcher is one that keeps notices, told without asking it: Hydra (MPICH, Intel MPI)
 * or Open MPI's own. Slurm's PMI2 answers MPICH about a name that it doesn't know so that MPICH
 * crashes (22.05 and 5.0.2); its PMIx keeps none, which Open MPI 4.1 says in a box of eight lines.
 */
bool notices_kept(void);

/** Posts `text` under `name`; may fail silently, e.g. where another was first. */
void notices_post(const char *name, const char *text);

/** Whether there is a notice `name`, by whichever process. */
bool notices_has(const char *name);

/**
 * Whether the caller is the first to claim `name`. Where a launcher lets a second post replace the
 * first, two processes that claim at the same time may both be told so.
 */
bool notices_claim(const char *name);

#endif
