/** What the library's collectives need besides their arguments. */
#ifndef LEADLINE_SHMEM_COLLECTIVES_H
#define LEADLINE_SHMEM_COLLECTIVES_H

/** Prepares the arrays that PEs synchronise by; collective. */
void collectives_open(void);

#endif
