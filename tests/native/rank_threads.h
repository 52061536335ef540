/** What runs ranks as threads, and what each of them must know of it. */
#ifndef LEADLINE_TESTS_RANK_THREADS_H
#define LEADLINE_TESTS_RANK_THREADS_H

#include <stddef.h>

/** Where the file is mapped, shared, for all ranks. */
void *rank_threads_map(int fd, size_t bytes);

/** Tells a copy of the program which rank it is. */
void as_thread_place(int rank, int ranks);

#endif
