/** Making the library go on while a PE waits in this backend's own loops. */
#ifndef LEADLINE_SHMEM_ADVANCE_H
#define LEADLINE_SHMEM_ADVANCE_H

/** Finds out what advance_library() must do; collective. */
void advance_open(void);

/** Lets the library take in what has come; nothing where all PEs reach each other's memory. */
void advance_library(void);

#endif
